// Indexes of a class that had entities before it had them.

#include "index_build.h"

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "context.h"
#include "entities/versions/doc/first.autoshard.h"
#include "entities/versions/doc/second.autoshard.h"
#include "entities/versions/doc/third.autoshard.h"
#include "main_record.h"
#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

using archive::FirstDoc;
using archive::SecondDoc;
using archive::ThirdDoc;

class IndexBuildTest : public IndexTest {
 protected:
  static std::string indexes() { return detail::indexes_key("Member"); }

  std::string generation() {
    std::string generation;
    EXPECT_TRUE(store_->snapshot()->get(indexes(), generation));
    return generation;
  }

  /// As a program left it whose class has no index.
  void forget_indexes() {
    const auto transaction = store_->begin();
    for (const auto& [key, value] : records(*store_, indexes(), indexes() + '\xFF')) transaction->erase(key);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  void add_members(int from, int to) {
    for (int number = from; number < to; ++number) {
      Member added = member(number, "name" + std::to_string(number % 7), std::to_string(number));
      other_.save(added);
    }
  }
  std::size_t in_range(const std::string& name) { return other_.range<Member::ByName>(name).count(); }
};
INSTANTIATE_TEST_SUITE_P(Stores, IndexBuildTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(IndexBuildTest, NobodyNeedsToBuildThoseOfANewClass) {
  EXPECT_EQ(in_range("name1"), 0U);
  add_members(0, 10);
  EXPECT_EQ(in_range("name1"), 2U);
  Mapper later(*store_);
  EXPECT_EQ(later.range<Member::ByName>("name1").count(), 2U);
  EXPECT_EQ(admin::build_indexes<Member>(later), 0U);
}

TEST_P(IndexBuildTest, NorWhereAllEntitiesAreGone) {
  add_members(0, 3);
  forget_indexes();
  for (int number = 0; number < 3; ++number) other_.erase<Member>(number);
  EXPECT_EQ(in_range("name1"), 0U);
  Mapper later(*store_);
  Member added = member(1, "name1", "1");
  later.save(added);
  EXPECT_EQ(later.range<Member::ByName>("name1").count(), 1U);
}

TEST_P(IndexBuildTest, ARangeSaysWhatToDoUntilThen) {
  add_members(0, 10);
  forget_indexes();
  EXPECT_THAT([&] { in_range("name1"); },
              ThrowsMessage<IndexNotBuilt>(HasSubstr("index name of Member does not hold all entities yet")));
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), 10U);
  EXPECT_EQ(in_range("name1"), 2U);
  expect_right<Member>();
}

TEST_P(IndexBuildTest, AQueryDoesWithoutUntilThen) {
  add_members(0, 10);
  forget_indexes();
  const auto query = other_.query<Member>(Fields<Member>::name == "name1");
  EXPECT_EQ(query.count(), 2U);
  EXPECT_THAT(query.explain(), HasSubstr("index name is not used"));
  EXPECT_THAT(query.explain(), HasSubstr("build_indexes"));
  admin::build_indexes<Member>(mapper_);
  EXPECT_EQ(query.count(), 2U);
  EXPECT_THAT(query.explain(), Not(HasSubstr("not used")));
}

// What is written before the index is complete is in it all the same.
TEST_P(IndexBuildTest, WritersMaintainWhatIsNotBuiltYet) {
  add_members(0, 10);
  forget_indexes();
  Member changed = mapper_.load<Member>(1).value();
  changed.name = "changed";
  mapper_.save(changed);
  mapper_.erase<Member>(2);
  Member added = member(20, "name1", "20");
  mapper_.save(added);
  EXPECT_THROW(in_range("name1"), IndexNotBuilt);
  admin::build_indexes<Member>(mapper_);
  expect_right<Member>();
  EXPECT_EQ(in_range("changed"), 1U);
  EXPECT_EQ(in_range("name1"), 2U);
}

TEST_P(IndexBuildTest, MayBeCutShortAnywhere) {
  add_members(0, 300);
  for (int crash = 1;; ++crash) {
    forget_indexes();
    bool crashed = false;
    faulty_.before_commit([&](int nth) {
      if (nth != crash) return Fate::kCommits;
      crashed = true;
      return Fate::kCrashes;
    });
    try {
      admin::build_indexes<Member>(mapper_);
    } catch (...) {
      EXPECT_TRUE(crashed);
    }
    faulty_.before_commit(nullptr);
    if (!crashed) break;
    EXPECT_THROW(in_range("name1"), IndexNotBuilt) << "after a crash in commit " << crash;
    admin::build_indexes<Member>(mapper_);
    expect_right<Member>();
    EXPECT_EQ(in_range("name1"), 43U);
  }
  expect_right<Member>();
}

/// Wherever the build is. The tombstone stays if the erase is cut short.
TEST_P(IndexBuildTest, AnEntityThatIsErasedMeanwhileGetsNoEntries) {
  const detail::RecordKey key = detail::main_key(detail::entity_key("Member", 1));
  std::string record;
  FaultyStore cut_short(*store_);
  cut_short.before_begin([&] {
    if (store_->snapshot()->get(key, record) && detail::is_tombstone(record))
      throw StoreUnavailable("after the tombstone");
  });
  Mapper cut_short_mapper(cut_short, {.compact_every = std::chrono::milliseconds(0)});
  for (Mapper* erasing : {&cut_short_mapper, &other_}) {
    bool is_erased = true;
    for (int last = 1; is_erased; ++last) {
      SCOPED_TRACE(last);
      add_members(0, 3);
      forget_indexes();
      is_erased = false;
      faulty_.before_begin([&, begun = 0]() mutable {
        if (++begun == last) is_erased = erasing->erase<Member>(1);
      });
      admin::build_indexes<Member>(mapper_);
      faulty_.before_begin(nullptr);
      expect_right<Member>();
      EXPECT_EQ(in_range("name1"), is_erased ? 0U : 1U);
      EXPECT_EQ(store_->snapshot()->get(key, record), !is_erased || erasing == &cut_short_mapper);
      for (int number = 0; number < 3; ++number) other_.erase<Member>(number);
    }
  }
}

TEST_P(IndexBuildTest, GoesOnAfterConflicts) {
  add_members(0, 20);
  forget_indexes();
  faulty_.before_commit([](int nth) { return nth % 2 == 0 ? Fate::kConflicts : Fate::kCommits; });
  admin::build_indexes<Member>(mapper_);
  expect_right<Member>();
}

TEST_P(IndexBuildTest, SaysThatItMetConflictsOnly) {
  add_members(0, 3);
  forget_indexes();
  Mapper hasty(faulty_, {.retry = {.max_attempts = 2, .initial_backoff = std::chrono::microseconds(1)},
                         .compact_every = std::chrono::milliseconds(0)});
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kConflicts; });
  EXPECT_THROW(admin::build_indexes<Member>(hasty), Contention);
  EXPECT_THROW(in_range("name1"), IndexNotBuilt);
  faulty_.before_commit(nullptr);
  EXPECT_EQ(admin::build_indexes<Member>(hasty), 3U);
  expect_right<Member>();
}

TEST_P(IndexBuildTest, RemovesWhatSomebodyHasLeft) {
  add_members(0, 5);
  forget_indexes();
  const auto transaction = store_->begin();
  const std::string known = detail::find_index(detail::kEntityType<Member>, index("name")).key();
  std::string entry = known;
  detail::append_text(entry, "name1");
  for (std::uint64_t number = 1000; number < 1300; ++number) {  // of members that there are not
    std::string lost = entry;
    detail::append_integer(lost, false, number);
    transaction->put(lost, "\xC0");
  }
  const std::string removed = detail::index_key("Member", "removed", 7);  // an index that the class had
  transaction->put(removed, "\xC3");
  transaction->put(removed + "\x15\x01\x15\x01", "\xC0");
  const std::string changed = detail::index_key("Member", "name", 8);  // one that it had in another form
  transaction->put(changed, "\xC3");
  for (int i = 0; i < 300; ++i) {
    std::string old = changed;
    detail::append_integer(old, false, static_cast<std::uint64_t>(i));
    transaction->put(old + "\x15\x01", "\xC0");
  }
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  FaultyStore watched(*store_);
  Mapper mapper(watched);
  admin::build_indexes<Member>(mapper);
  const unsigned marks = store_->traits().acknowledgements_may_be_lost ? 1 : 0;
  EXPECT_LE(watched.most_writes(), 128U + 1U + marks) << "entries, the generation, and the writer's mark";
  expect_right<Member>();
  EXPECT_EQ(records(*store_, removed, removed + '\xFF').size(), 0U);
  EXPECT_EQ(records(*store_, changed, changed + '\xFF').size(), 0U);
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), 0U);
  expect_right<Member>();
}

TEST_P(IndexBuildTest, LeavesAloneWhatIsOfNoIndex) {
  add_members(0, 5);
  const auto transaction = store_->begin();
  transaction->put(indexes() + '\1', "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  const auto of_indexes = [&] { return records(*store_, indexes(), indexes() + '\xFF'); };
  const auto before = of_indexes();
  const std::string kind = detail::kind_key("Member");
  const std::size_t entities = records(*store_, kind, detail::end_key(kind)).size();
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), 0U);
  EXPECT_EQ(of_indexes(), before);
  EXPECT_EQ(records(*store_, kind, detail::end_key(kind)).size(), entities);
}

// Programs that know which indexes there are look again once it changes.
TEST_P(IndexBuildTest, TellsOthersThatAnIndexIsGone) {
  add_members(0, 5);
  std::string before = generation();
  const std::string removed = detail::index_key("Member", "removed", 7);
  const auto transaction = store_->begin();
  transaction->put(removed, "\xC3");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), 0U);
  EXPECT_NE(generation(), before);
  EXPECT_EQ(records(*store_, removed, removed + '\xFF').size(), 0U);

  before = generation();
  detail::MapperContext context(*store_, {});
  detail::IndexBuild(context, detail::kEntityType<Member>).forget();
  EXPECT_NE(generation(), before);
}

TEST_P(IndexBuildTest, SaysWhichEntitiesAreNotUnique) {
  add_members(0, 3);
  forget_indexes();
  Member third = mapper_.load<Member>(2).value();
  third.email = "1";  // the entry of which is missing
  mapper_.save(third);
  EXPECT_THROW(admin::build_indexes<Member>(mapper_), NotUnique);
  EXPECT_THROW(in_range("name1"), IndexNotBuilt);
  third.email = "2";
  mapper_.save(third);
  admin::build_indexes<Member>(mapper_);
  expect_right<Member>();
}

// While the build has not come to an entity, another may take its key. The first then gives up, by a save or
// an erase, an entry that it never had: that of the other stays.
TEST_P(IndexBuildTest, AKeyThatAnotherHasTakenMeanwhileStaysIts) {
  for (const bool erases : {false, true}) {
    add_members(10, 300);
    forget_indexes();
    faulty_.before_commit([&](int nth) {
      if (nth != 2) return Fate::kCommits;  // the first one says that the indexes are being built
      Member taker = member(1, "taker", "250");
      other_.save(taker);  // in front of what the build goes through now
      if (erases) {
        other_.erase<Member>(250);
      } else {
        Member giver = other_.load<Member>(250).value();
        giver.email = "given up";
        other_.save(giver);
      }
      return Fate::kCommits;
    });
    admin::build_indexes<Member>(mapper_);
    expect_right<Member>();
    EXPECT_EQ(other_.query<Member>(Fields<Member>::email == "250").count(), 1U);
    Member third = member(2, "third", "250");
    EXPECT_THROW(other_.save(third), NotUnique);
    for (int number = 0; number < 300; ++number) other_.erase<Member>(number);
    forget_indexes();
  }
}

// What a record does not have is the class's default, which another version of it may change: the entry and
// what a load gives are the same all the same.
TEST_P(IndexBuildTest, AgreesWithLoadsWhateverTheDefaultIsLater) {
  FirstDoc first(1), second(2);
  mapper_.save(first);
  mapper_.save(second);
  admin::build_indexes<SecondDoc>(mapper_);
  using f = Fields<ThirdDoc>;
  const auto expect_agreement = [&] {
    expect_right<ThirdDoc>();
    for (const int level : {1, 2, 3}) {
      const auto query = other_.query<ThirdDoc>(f::level == level);
      EXPECT_THAT(query.explain(), HasSubstr("index level"));
      EXPECT_EQ(query.count(), other_.query<ThirdDoc>(!(f::level != level)).count()) << level;
    }
  };
  expect_agreement();
  EXPECT_EQ(other_.load<ThirdDoc>(1).value().level, 1);
  ThirdDoc changed = other_.load<ThirdDoc>(1).value();
  changed.text = "changed";
  other_.save(changed);
  expect_agreement();
  EXPECT_EQ(admin::build_indexes<ThirdDoc>(mapper_), 0U);
}

class IndexBuildThreadsTest : public IndexBuildTest {};
INSTANTIATE_TEST_SUITE_P(Stores, IndexBuildThreadsTest, ::testing::ValuesIn(stores_for_threads()),
                         store_name);

TEST_P(IndexBuildThreadsTest, TwoBuildWhileOthersWrite) {
  constexpr int kMembers = 400, kWriters = 2;
  add_members(0, kMembers);
  forget_indexes();
  std::mt19937_64 seeds = seeded_generator();
  std::atomic<bool> built{false};
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer, generator = std::mt19937_64(seeds())]() mutable {
      for (int i = 0; !built; ++i) {
        // Each its own, so that nobody is refused.
        const int number = static_cast<int>(below(generator, kMembers / kWriters)) * kWriters + writer;
        if (std::optional<Member> there = other_.load<Member>(number)) {
          if (below(generator, 4) == 0) {
            other_.erase<Member>(number);
          } else {
            there->name = "name" + std::to_string(below(generator, 5));
            there->email = std::to_string(number) + '/' + std::to_string(i);
            other_.save(*there);
          }
        } else {
          Member added = member(number, "again", std::to_string(number));
          other_.save(added);
        }
      }
    });
  }
  Mapper one(*store_), two(*store_);
  std::thread builder([&] { admin::build_indexes<Member>(one); });
  admin::build_indexes<Member>(two);
  builder.join();
  expect_right<Member>();
  built = true;
  for (std::thread& thread : threads) thread.join();
  expect_right<Member>();
}

}  // namespace
}  // namespace autoshard::test
