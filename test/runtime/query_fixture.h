#pragma once

#include <autoshard/autoshard.h>

#include <chrono>
#include <string>
#include <vector>

#include "entities/indexes/film.autoshard.h"
#include "entities/indexes/indexed_film.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {

using cinema::Film;
using cinema::IndexedFilm;

/// Films, and what queries find of them.
class QueryTest : public StoreTest {
 protected:
  Film& film(const std::string& code) { return films_.emplace_back(code); }
  void save() {
    for (Film& film : films_) mapper_.save(film);
  }
  template <class Query>
  static std::vector<std::string> codes(const Query& query) {
    std::vector<std::string> codes;
    for (const auto& film : query) codes.push_back(film.code());
    return codes;
  }
  std::vector<std::string> codes(const Condition<Film>& condition) {
    return codes(mapper_.query<Film>(condition));
  }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
  std::vector<Film> films_;
};

}  // namespace autoshard::test
