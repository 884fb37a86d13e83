// Versions of a class with different indexes write the same store, in turn and at the same time.

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entities/versions/book.h"
#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using library::Book;
using library::ByAuthor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using NewBook = Book<3>;
using OldBook = Book<0>;
using b = Fields<NewBook>;

class IndexVersionsTest : public IndexTest {
 protected:
  std::vector<int> by(const std::string& author) {
    std::vector<int> numbers;
    for (const NewBook& book : other_.query<NewBook>(b::author == author)) numbers.push_back(book.number);
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
  EXPECT_THROW((other_.range<ByAuthor<NewBook>>("Ann").count()), IndexNotBuilt);
  EXPECT_EQ(admin::build_indexes<NewBook>(mapper_), 2U);
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
  admin::build_indexes<NewBook>(mapper_);
  expect_right<NewBook>();
  EXPECT_EQ(other_.range<ByAuthor<NewBook>>("Ann").count(), 0U);
  EXPECT_EQ(other_.range<ByAuthor<NewBook>>("Cid").count(), 1U);
}

TEST_P(IndexVersionsTest, WhatAnOlderProgramErasesIsNotFound) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.save(NewBook(2, "Ann", "2"));
  Mapper(*store_).erase<OldBook>(1);
  EXPECT_THAT(by("Ann"), ElementsAre(2));
  admin::build_indexes<NewBook>(mapper_);
  expect_right<NewBook>();
  other_.save(NewBook(1, "Bob", "1"));
  EXPECT_EQ(other_.range<ByAuthor<NewBook>>("Ann").count(), 1U);
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
  EXPECT_EQ(admin::build_indexes<NewBook>(mapper_), 2U);
  EXPECT_THAT(other_.query<NewBook>(b::isbn == "2").explain(), Not(HasSubstr("not used")));
  expect_right<NewBook>();
}

TEST_P(IndexVersionsTest, AnOlderProgramSaysWhatItGivesUp) {
  other_.save(NewBook(1, "Ann", "1"));
  std::vector<std::string> logged;
  Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0),
                         .log = [&](std::string_view line) { logged.emplace_back(line); }});
  for (int number = 2; number < 4; ++number) older.save(OldBook(number));
  EXPECT_THAT(logged, ElementsAre(HasSubstr("this program does not maintain the indexes of Book")));
}

// A mapper that saw the indexes complete would not look at them again by itself.
TEST_P(IndexVersionsTest, AnIndexThatWasGivenUpIsCompletedOnceThereAreNoEntities) {
  other_.save(NewBook(1, "Ann", "1"));
  other_.erase<NewBook>(1);
  save_old(1, "Ann", "1");
  other_.erase<OldBook>(1);
  other_.save(NewBook(2, "Ann", "2"));
  EXPECT_TRUE(is_used());
  expect_right<NewBook>();
}

// A program that has the index builds it while another program removes the rest of it.
TEST_P(IndexVersionsTest, AnIndexThatIsBuiltWhileItIsRemovedStays) {
  using WithAuthor = Book<1>;
  for (int number = 0; number < 300; ++number) other_.save(WithAuthor(number, "Ann"));
  faulty_.before_commit([&](int nth) {
    if (nth == 2) {  // the first commit has removed the state of the index
      EXPECT_EQ(admin::build_indexes<WithAuthor>(other_), 300U);
    }
    return Fate::kCommits;
  });
  admin::build_indexes<OldBook>(mapper_);
  EXPECT_THAT(other_.query<WithAuthor>(Fields<WithAuthor>::author == "Ann").explain(),
              HasSubstr("index author: "));
  expect_right<WithAuthor>();
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
        admin::build_indexes<NewBook>(mapper_);
        expect_right<NewBook>();
      } catch (const IndexNotBuilt&) {
        EXPECT_TRUE(was_in_time);
        EXPECT_FALSE(is_used());
      }
      std::vector<int> expected;
      for (const OldBook& book : older.query<OldBook>()) {
        if (book.author == "Ann") expected.push_back(book.number);
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

// A build must not complete what another one has begun anew: it has passed what was written in between.
TEST_P(IndexVersionsTest, ABuildDoesNotCompleteTheNextOne) {
  Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0)});
  older.save(OldBook(1, "Ann", "1"));
  faulty_.before_commit([&](int nth) {
    if (nth != 3) return Fate::kCommits;  // the last one, after the beginning and the entity
    older.save(OldBook(0, "Ann", "0"));
    FaultyStore crashing(*store_);
    crashing.before_commit([](int next) { return next == 1 ? Fate::kCommits : Fate::kCrashes; });
    Mapper crashing_mapper(crashing);
    EXPECT_THROW(admin::build_indexes<NewBook>(crashing_mapper), StoreUnavailable);
    return Fate::kCommits;
  });
  EXPECT_THROW(admin::build_indexes<NewBook>(mapper_), IndexNotBuilt);
  faulty_.before_commit({});
  EXPECT_THAT(by("Ann"), ElementsAre(0, 1));
  EXPECT_EQ(admin::build_indexes<NewBook>(mapper_), 2U);
  expect_right<NewBook>();
}

// The other way round: a whole build in the middle of a write.
TEST_P(IndexVersionsTest, AnIndexThatIsBuiltDuringAWriteIsNotMissed) {
  Mapper older(faulty_, {.compact_every = std::chrono::milliseconds(0)});
  older.save(OldBook(1, "Ann", "1"));
  older.save(OldBook(2, "Ann", "2"));
  const std::vector<std::function<void()>> writes = {[&] { older.save(OldBook(3, "Ann", "3")); },
                                                     [&] {
                                                       OldBook book = older.load<OldBook>(1).value();
                                                       book.author = "Bob";
                                                       older.save(book);
                                                     },
                                                     [&] { older.erase<OldBook>(2); },
                                                     [&] {
                                                       older.transact([](EntityTransaction& transaction) {
                                                         OldBook book = transaction.load<OldBook>(1).value();
                                                         book.author = "Ann";
                                                         transaction.save(book);
                                                       });
                                                     }};
  const std::vector<std::vector<int>> expected = {{1, 2, 3}, {2, 3}, {3}, {1, 3}};
  for (std::size_t i = 0; i < writes.size(); ++i) {
    faulty_.before_commit([&, is_built = false](int) mutable {
      if (!std::exchange(is_built, true)) admin::build_indexes<NewBook>(other_);
      return Fate::kCommits;
    });
    writes[i]();
    faulty_.before_commit({});
    EXPECT_EQ(by("Ann"), expected[i]) << i;
    EXPECT_FALSE(is_used());
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

// Whatever another program does between two looks at the store.
TEST_P(IndexVersionsTest, AnotherProgramMayCompleteThemBeforeAnyLookAtTheStore) {
  bool was_in_time = true;
  for (int look = 1; was_in_time; ++look) {
    Mapper older(*store_, {.compact_every = std::chrono::milliseconds(0)});
    older.save(OldBook(1));
    older.erase<OldBook>(1);
    Mapper newer(faulty_, {.retry = {.initial_backoff = std::chrono::microseconds(1)},
                           .compact_every = std::chrono::milliseconds(0)});
    int looks = 0;
    faulty_.before_begin([&] {
      if (++looks == look) other_.save(NewBook(2, "Ann", "2"));
    });
    newer.save(NewBook(1, "Ann", "1"));
    faulty_.before_begin({});
    was_in_time = looks >= look;
    EXPECT_TRUE(is_used()) << look;
    EXPECT_THAT(by("Ann"), ::testing::Contains(1)) << look;
    expect_right<NewBook>();
    for (int number = 1; number < 3; ++number) newer.erase<NewBook>(number);
    EXPECT_THAT(by("Ann"), ElementsAre()) << look;
    ASSERT_LT(look, 100) << "it never ends";
  }
}

// No program removes the generation. A build that does not find its own has not seen all that was written.
TEST_P(IndexVersionsTest, ABuildDoesNotCompleteWithoutItsGeneration) {
  save_old(1, "Ann", "1");
  faulty_.before_commit([&](int nth) {
    if (nth != 3) return Fate::kCommits;  // the last one, after the beginning and the entity
    const auto transaction = store_->begin();
    transaction->erase(detail::indexes_key("Book"));
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    return Fate::kCommits;
  });
  EXPECT_THROW(admin::build_indexes<NewBook>(mapper_), IndexNotBuilt);
  faulty_.before_commit({});
  EXPECT_FALSE(is_used());
  EXPECT_EQ(admin::build_indexes<NewBook>(mapper_), 1U);
  EXPECT_TRUE(is_used());
}

// Before there were generations, a store had the states of indexes, and no trace of an older program.
TEST_P(IndexVersionsTest, AStoreFromBeforeIsTakenAsItIsAndCanBeRebuilt) {
  const detail::EntityType& type = detail::kEntityType<NewBook>;
  for (int number = 0; number < 200; ++number) other_.save(NewBook(number, "Ann", std::to_string(number)));
  const auto transaction = store_->begin();
  transaction->erase(detail::indexes_key("Book"));
  const std::string missing =
      detail::find_index(type, type.indexes[0]).key() + std::string("\2Ann\0\1\x15\x07", 8);
  std::string value;
  ASSERT_TRUE(transaction->get(missing, value));
  transaction->erase(missing);
  transaction->put(detail::find_index(type, type.indexes[0]).key() + std::string("\2Bob\0\1\x15\x08", 8),
                   value);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  Mapper newer(*store_);
  EXPECT_EQ(admin::build_indexes<NewBook>(newer), 0U);
  EXPECT_FALSE(store_->snapshot()->get(detail::indexes_key("Book"), value)) << "nothing was to be built";
  EXPECT_EQ(newer.range<ByAuthor<NewBook>>("Ann").count(), 199U);  // what nobody can know
  newer.save(NewBook(200, "Ann", "200"));
  EXPECT_TRUE(is_used());
  EXPECT_EQ(admin::build_indexes<NewBook>(newer), 0U);
  EXPECT_EQ(admin::rebuild_indexes<NewBook>(newer), 201U);
  EXPECT_TRUE(is_used());
  expect_right<NewBook>();
  EXPECT_EQ(newer.range<ByAuthor<NewBook>>("Ann").count(), 201U);
}

}  // namespace
}  // namespace autoshard::test
