// Programs with several versions of a class, next to a model.

#include <autoshard/admin.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entities/versions/book.h"
#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using library::Book;

/// Mappers of programs with four versions of the class, some of which end and begin again.
class IndexVersionsModelTest : public IndexTest {
 protected:
  static constexpr int kBooks = 12;

  using Row = std::pair<std::string, std::string>;  // author and ISBN

  template <int kIndexes>
  void write(Mapper& mapper) {
    using B = Book<kIndexes>;
    const int number = static_cast<int>(below(generator_, kBooks));
    const std::string author(1, static_cast<char>('a' + below(generator_, 3)));
    const std::string isbn = std::to_string(number) + author;  // nobody is refused
    switch (below(generator_, 5)) {
      case 0:
        mapper.erase<B>(number);
        model_.erase(number);
        return;
      case 1:
        return mapper.transact([&](EntityTransaction& transaction) {
          std::optional<B> book = transaction.load<B>(number);
          if (!book) return;
          book->author = author;
          book->isbn = isbn;
          transaction.save(*book);
          model_[number] = {author, isbn};
        });
      default: {
        std::optional<B> book = mapper.load<B>(number);
        if (!book) book.emplace(number);
        book->author = author;
        book->isbn = isbn;
        mapper.save(*book);
        model_[number] = {author, isbn};
      }
    }
  }
  template <int kIndexes>
  void build(Mapper& mapper) {
    try {
      below(generator_, 4) == 0 ? admin::rebuild_indexes<Book<kIndexes>>(mapper)
                                : admin::build_indexes<Book<kIndexes>>(mapper);
    } catch (const IndexNotBuilt&) {
    }
  }
  /// Of a process that ends soon after.
  template <int kIndexes>
  void begin_build() {
    FaultyStore crashing(*store_);
    const int crash = 1 + static_cast<int>(below(generator_, 4));
    crashing.before_commit([=](int nth) { return nth < crash ? Fate::kCommits : Fate::kCrashes; });
    try {
      build<kIndexes>(*program(crashing));
    } catch (const StoreUnavailable&) {
    }
  }
  template <int kIndexes>
  void expect_answers(const Mapper& mapper) {
    using f = Fields<Book<kIndexes>>;
    for (const std::string author : {"a", "b", "c"}) {
      std::vector<int> expected, found;
      for (const auto& [number, row] : model_) {
        if (row.first == author) expected.push_back(number);
      }
      for (const auto& book : mapper.query<Book<kIndexes>>(f::author == author)) found.push_back(book.number);
      std::ranges::sort(found);
      ASSERT_EQ(found, expected) << kIndexes;
      if constexpr ((kIndexes & 1) != 0) {
        try {
          EXPECT_EQ(mapper.range<library::ByAuthor<Book<kIndexes>>>(author).count(), expected.size());
        } catch (const IndexNotBuilt&) {
        }
      }
    }
    std::size_t all = 0;
    for (const auto& [number, row] : model_)
      all += mapper.query<Book<kIndexes>>(f::isbn == row.second).count();
    ASSERT_EQ(all, model_.size()) << kIndexes;
    ASSERT_EQ(mapper.query<Book<kIndexes>>(f::author >= "a").count(), model_.size()) << kIndexes;
  }
  template <class Use>
  void with_version(Use use) {
    switch (below(generator_, 4)) {
      case 0:
        return use(std::integral_constant<int, 0>());
      case 1:
        return use(std::integral_constant<int, 1>());
      case 2:
        return use(std::integral_constant<int, 2>());
      default:
        return use(std::integral_constant<int, 3>());
    }
  }
  std::unique_ptr<Mapper> program(Store& store) {
    return std::make_unique<Mapper>(
        store, MapperOptions{.retry = {.max_attempts = 1000, .initial_backoff = std::chrono::microseconds(1)},
                             .compact_every = std::chrono::milliseconds(0)});
  }

  std::mt19937_64 generator_ = seeded_generator();
  std::map<int, Row> model_;
};
INSTANTIATE_TEST_SUITE_P(Stores, IndexVersionsModelTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(IndexVersionsModelTest, NoQueryMissesWhatAnyVersionWrote) {
  for (int history = 0; history < 20 && !HasFatalFailure(); ++history) {
    std::vector<std::unique_ptr<Mapper>> programs;
    for (int i = 0; i < 4; ++i) programs.push_back(program(*store_));
    const std::unique_ptr<Mapper> disturbed = program(faulty_);
    const auto any = [&]() -> Mapper& { return *programs[below(generator_, programs.size())]; };
    for (int step = 0; step < 60 && !HasFatalFailure(); ++step) {
      switch (below(generator_, 8)) {
        case 0:
          programs[below(generator_, programs.size())] = program(*store_);
          break;
        case 1:
          with_version([&](auto version) { build<version>(any()); });
          break;
        case 2: {  // while others write
          const int disturbance = 1 + static_cast<int>(below(generator_, 5));
          faulty_.before_commit([&](int nth) {
            if (nth != disturbance) return Fate::kCommits;
            with_version([&](auto version) { write<version>(any()); });
            with_version([&](auto version) { begin_build<version>(); });
            return Fate::kCommits;
          });
          with_version([&](auto version) { build<version>(*disturbed); });
          faulty_.before_commit({});
          break;
        }
        case 3:  // while an index is built
          faulty_.before_commit([&, is_built = false](int) mutable {
            if (!std::exchange(is_built, true)) with_version([&](auto version) { build<version>(any()); });
            return Fate::kCommits;
          });
          with_version([&](auto version) { write<version>(*disturbed); });
          faulty_.before_commit({});
          break;
        case 4:
          if (below(generator_, 8) != 0) break;
          for (int number = 0; number < kBooks; ++number)
            with_version([&](auto version) { any().template erase<Book<version>>(number); });
          model_.clear();
          break;
        default:
          with_version([&](auto version) { write<version>(any()); });
      }
      with_version([&](auto version) { expect_answers<version>(any()); });
    }
    for (int number = 0; number < kBooks; ++number) other_.erase<Book<0>>(number);
    model_.clear();
  }
}

}  // namespace
}  // namespace autoshard::test
