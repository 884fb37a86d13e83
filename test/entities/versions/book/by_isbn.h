// A version of the class Book with a unique index of the ISBN.
#pragma once

#include <string>
#include <utility>

namespace library {

struct [[autoshard::entity("Book")]] BookByIsbn {
  explicit BookByIsbn(int its_number, std::string its_author = "", std::string its_isbn = "")
      : number(its_number), author(std::move(its_author)), isbn(std::move(its_isbn)) {}

  [[autoshard::id]] int number;
  std::string author;
  [[autoshard::index(unique)]] std::string isbn;
};

}  // namespace library
