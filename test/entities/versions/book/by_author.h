// A version of the class Book with an index of the author.
#pragma once

#include <string>
#include <utility>

namespace library {

struct [[autoshard::entity("Book")]] BookByAuthor {
  explicit BookByAuthor(int its_number, std::string its_author = "", std::string its_isbn = "")
      : number(its_number), author(std::move(its_author)), isbn(std::move(its_isbn)) {}

  [[autoshard::id]] int number;
  [[autoshard::index]] std::string author;
  std::string isbn;
};

}  // namespace library
