#pragma once

#include <autoshard/generated.h>

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

/// An entity as the generator makes them, in versions with different indexes.
namespace library {

using autoshard::IndexOf;
using autoshard::Loading;
using autoshard::State;

/// A version of a class; the bits of the number say which indexes it has.
template <int kIndexes>
struct Book {
  static constexpr bool kByAuthor = (kIndexes & 1) != 0, kByIsbn = (kIndexes & 2) != 0;

  using ByAuthor = IndexOf<Book, 0>;

  explicit Book(int number, std::string its_author = "", std::string its_isbn = "")
      : author(std::move(its_author)), isbn(std::move(its_isbn)), number_(number) {}
  explicit Book(Loading) {}

  std::string author, isbn;
  int number_ = 0;
  State<> autoshard_;
};

}  // namespace library

template <int kIndexes>
struct autoshard::Traits<library::Book<kIndexes>> {
  using Entity = library::Book<kIndexes>;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Book";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple{Property{"author", &Entity::author}, Property{"isbn", &Entity::isbn}};
  }
  static constexpr auto sharded_properties() { return std::tuple{}; }
  static constexpr auto indexes() requires(kIndexes != 0) {
    constexpr auto kAuthor = index("author", Property{"author", &Entity::author});
    constexpr auto kIsbn = unique_index("isbn", Property{"isbn", &Entity::isbn});
    if constexpr (kIndexes == 1) {
      return std::tuple{kAuthor};
    } else if constexpr (kIndexes == 2) {
      return std::tuple{kIsbn};
    } else {
      return std::tuple{kAuthor, kIsbn};
    }
  }

  struct Fields {
    static constexpr auto author = field<Entity>("author", &Entity::author);
    static constexpr auto isbn = field<Entity>("isbn", &Entity::isbn);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<>& state(Entity& entity) { return entity.autoshard_; }
};
