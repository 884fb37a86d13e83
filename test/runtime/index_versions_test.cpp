// Versions of a class with different indexes write the same store, in turn and at the same time.

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "index_fixture.h"
#include "rollup_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

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

}  // namespace
}  // namespace autoshard::test

template <int kIndexes>
struct autoshard::Traits<autoshard::test::Book<kIndexes>> {
  using Entity = autoshard::test::Book<kIndexes>;
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

namespace autoshard::test {
namespace {

using NewBook = Book<3>;
using OldBook = Book<0>;
using b = Fields<NewBook>;

class IndexVersionsTest : public IndexTest {
 protected:
  std::vector<int> by(const std::string& author) {
    std::vector<int> numbers;
    for (const NewBook& book : other_.query<NewBook>(b::author == author)) numbers.push_back(book.number_);
    return numbers;
  }
  bool is_used() {
    return other_.query<NewBook>(b::author == "Ann").explain().find("index author: ") != std::string::npos;
  }
  /// With an older program's mapper.
  void save_old(int number, const std::string& author, const std::string& isbn) {
    Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0)});
    std::optional<OldBook> book = older.load<OldBook>(number);
    if (!book) book.emplace(number);
    book->author = author;
    book->isbn = isbn;
    older.save(*book);
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, IndexVersionsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(IndexVersionsTest, WhatAnOlderProgramCreatesIsFound) {
  other_.save(NewBook(1, "Ann", "1"));
  EXPECT_TRUE(is_used());
  save_old(2, "Ann", "2");
  EXPECT_FALSE(is_used());
  EXPECT_THAT(by("Ann"), ElementsAre(1, 2));
  EXPECT_THROW((other_.range<NewBook::ByAuthor>("Ann").count()), IndexNotBuilt);
  EXPECT_EQ(mapper_.build_indexes<NewBook>(), 2U);
  EXPECT_TRUE(is_used());
  EXPECT_THAT(by("Ann"), ElementsAre(1, 2));
  expect_right<NewBook>();
}

TEST_P(IndexVersionsTest, WhatAnOlderProgramChangesIsFoundOnce) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.save(NewBook(2, "Bob", "2"));
  save_old(1, "Cid", "3");
  EXPECT_THAT(by("Ann"), ElementsAre());
  EXPECT_THAT(by("Cid"), ElementsAre(1));
  mapper_.build_indexes<NewBook>();
  expect_right<NewBook>();
  EXPECT_EQ(other_.range<NewBook::ByAuthor>("Ann").count(), 0U);
  EXPECT_EQ(other_.range<NewBook::ByAuthor>("Cid").count(), 1U);
}

TEST_P(IndexVersionsTest, WhatAnOlderProgramErasesIsNotFound) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.save(NewBook(2, "Ann", "2"));
  Mapper(*store_).erase<OldBook>(1);
  EXPECT_THAT(by("Ann"), ElementsAre(2));
  mapper_.build_indexes<NewBook>();
  expect_right<NewBook>();
  other_.save(NewBook(1, "Bob", "1"));
  EXPECT_EQ(other_.range<NewBook::ByAuthor>("Ann").count(), 1U);
}

TEST_P(IndexVersionsTest, WhatAnOlderProgramLeftIsGoneWhereAllEntitiesAre) {
  other_.save(NewBook(1, "Ann", "1"));
  Mapper(*store_).erase<OldBook>(1);
  Mapper newer(*store_);
  newer.save(NewBook(1, "Bob", "1"));
  EXPECT_TRUE(is_used());
  expect_right<NewBook>();
}

TEST_P(IndexVersionsTest, ATransactionOfAnOlderProgramCountsToo) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.save(NewBook(2, "Ann", "2"));
  Mapper older(*store_);
  older.transact([](EntityTransaction& transaction) {
    OldBook book = transaction.load<OldBook>(1).value();
    book.author = "Bob";
    transaction.save(book);
    transaction.erase<OldBook>(2);
  });
  EXPECT_THAT(by("Ann"), ElementsAre());
  EXPECT_THAT(by("Bob"), ElementsAre(1));
}

// An index that is dropped and had again may not be the same either.
TEST_P(IndexVersionsTest, EachVersionKeepsTheIndexesThatItHas) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.save(Book<1>(2, "Ann", "2"));
  EXPECT_TRUE(is_used());  // by author, which both have
  using f = Fields<Book<1>>;
  EXPECT_THAT(mapper_.query<Book<1>>(f::author == "Ann").explain(), HasSubstr("index author: "));
  EXPECT_THAT(other_.query<NewBook>(b::isbn == "2").explain(), HasSubstr("index isbn is not used"));
  EXPECT_EQ(other_.query<NewBook>(b::isbn == "2").count(), 1U);
  EXPECT_EQ(mapper_.build_indexes<NewBook>(), 2U);
  EXPECT_THAT(other_.query<NewBook>(b::isbn == "2").explain(), Not(HasSubstr("not used")));
  expect_right<NewBook>();
}

// In the middle of a build, at any commit of it, a mapper writes that was there before the index was.
TEST_P(IndexVersionsTest, AnOlderProgramThatRunsOnKeepsABuildFromCompleting) {
  Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0)});
  const std::vector<std::function<void(int)>> writes = {
      [&](int round) { older.save(OldBook(1000 + round, "Ann", "x" + std::to_string(round))); },
      [&](int) {
        OldBook book = older.load<OldBook>(1).value();
        book.author = book.author == "Ann" ? "Bob" : "Ann";
        older.save(book);
      },
      [&](int) {
        if (!older.erase<OldBook>(2)) older.save(OldBook(2, "Ann", "2"));
      }};
  for (int number = 0; number < 4; ++number) older.save(OldBook(number, "Ann", std::to_string(number)));
  int round = 0;
  for (const auto& write : writes) {
    for (int commit = 1;; ++commit, ++round) {
      bool was_in_time = false;
      faulty_.before_commit([&](int nth) {
        if (nth != commit) return Fate::kCommits;
        was_in_time = true;
        write(round);
        return Fate::kCommits;
      });
      try {
        mapper_.build_indexes<NewBook>();
        expect_right<NewBook>();
      } catch (const IndexNotBuilt&) {
        EXPECT_TRUE(was_in_time);
        EXPECT_FALSE(is_used());
      }
      std::vector<int> expected;
      for (const OldBook& book : older.query<OldBook>()) {
        if (book.author == "Ann") expected.push_back(book.number_);
      }
      std::vector<int> found = by("Ann");
      std::ranges::sort(found);
      EXPECT_EQ(found, expected) << "a write before commit " << commit;
      faulty_.before_commit({});
      write(round + 500);  // makes the indexes incomplete again
      if (!was_in_time) break;
      ASSERT_LT(commit, 100) << "it never ends";
    }
  }
}

// The first entity completes the indexes of a class, whoever else is there already.
TEST_P(IndexVersionsTest, AnOlderProgramMayHaveBegunBeforeTheFirstEntity) {
  Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0)});
  older.save(OldBook(1));
  older.erase<OldBook>(1);
  for (int commit = 1; commit < 4; ++commit) {
    faulty_.before_commit([&](int nth) {
      if (nth == commit) older.save(OldBook(2, "Ann", "2"));
      return Fate::kCommits;
    });
    Mapper newer(faulty_, {.compact_every = std::chrono::milliseconds(0)});
    newer.save(NewBook(1, "Ann", "1"));
    faulty_.before_commit({});
    EXPECT_THAT(by("Ann"), UnorderedElementsAre(1, 2)) << commit;
    older.save(OldBook(3, "Ann", "3"));
    EXPECT_THAT(by("Ann"), UnorderedElementsAre(1, 2, 3)) << commit;
    for (int number = 1; number < 4; ++number) newer.erase<NewBook>(number);
  }
}

// Before there were generations, a store had the states of indexes, and no trace of an older program.
TEST_P(IndexVersionsTest, AStoreFromBeforeIsTakenAsItIsAndCanBeRebuilt) {
  const detail::EntityType& type = detail::kEntityType<NewBook>;
  for (int number = 0; number < 200; ++number) other_.save(NewBook(number, "Ann", std::to_string(number)));
  const auto transaction = store_->begin();
  transaction->erase(detail::indexes_key("Book"));
  const std::string missing = detail::index_key(type, type.indexes[0]) + std::string("\2Ann\0\1\x15\x07", 8);
  std::string value;
  ASSERT_TRUE(transaction->get(missing, value));
  transaction->erase(missing);
  transaction->put(detail::index_key(type, type.indexes[0]) + std::string("\2Bob\0\1\x15\x08", 8), value);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  Mapper newer(*store_);
  EXPECT_EQ(newer.range<NewBook::ByAuthor>("Ann").count(), 199U);  // what nobody can know
  newer.save(NewBook(200, "Ann", "200"));
  EXPECT_TRUE(is_used());
  EXPECT_EQ(newer.build_indexes<NewBook>(), 0U);
  EXPECT_EQ(newer.rebuild_indexes<NewBook>(), 201U);
  EXPECT_TRUE(is_used());
  expect_right<NewBook>();
  EXPECT_EQ(newer.range<NewBook::ByAuthor>("Ann").count(), 201U);
}

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
      below(generator_, 4) == 0 ? mapper.rebuild_indexes<Book<kIndexes>>()
                                : mapper.build_indexes<Book<kIndexes>>();
    } catch (const IndexNotBuilt&) {
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
      for (const auto& book : mapper.query<Book<kIndexes>>(f::author == author))
        found.push_back(book.number_);
      std::ranges::sort(found);
      ASSERT_EQ(found, expected) << kIndexes;
      if constexpr (Book<kIndexes>::kByAuthor) {
        try {
          EXPECT_EQ(mapper.range<typename Book<kIndexes>::ByAuthor>(author).count(), expected.size());
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
            if (nth == disturbance) with_version([&](auto version) { write<version>(any()); });
            return Fate::kCommits;
          });
          with_version([&](auto version) { build<version>(*disturbed); });
          faulty_.before_commit({});
          break;
        }
        case 3:
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
    for (int number = 0; number < kBooks; ++number) other_.erase<OldBook>(number);
    model_.clear();
  }
}

}  // namespace
}  // namespace autoshard::test
