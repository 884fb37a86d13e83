// A version of the class Book without an index.
#pragma once

#include <string>
#include <utility>

namespace library {

struct [[autoshard::entity("Book")]] PlainBook {
  explicit PlainBook(int its_number, std::string its_author = "", std::string its_isbn = "")
      : number(its_number), author(std::move(its_author)), isbn(std::move(its_isbn)) {}

  [[autoshard::id]] int number;
  std::string author;
  std::string isbn;
};

}  // namespace library
