// The records of indexes, beside the main records that they are of.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "commit_context.h"
#include "entities/versions/talk/former.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "index_states.h"
#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class IndexRecordsTest : public IndexTest {};
INSTANTIATE_TEST_SUITE_P(Stores, IndexRecordsTest, ::testing::ValuesIn(all_stores()), store_name);

// FORMAT.md: the bytes are those of other versions, too.
TEST_P(IndexRecordsTest, LieWhereTheFormatSays) {
  LogEntry entry = log_entry("Ann", "Acme", 300);
  mapper_.save(entry);
  const std::string id("\3\2Ann\0\1\2Acme\0\1\x16\1\x2C\1", 18);
  const std::string index("\0\2LogEntry\0\1ByCompany\0\1\x1d\x8c\xfb\x52", 27);
  const std::string shard("\0\2", 2);  // crc32 of what follows up to the id, modulo 4
  const auto all = records(*store_, index, index + '\xFF');
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].first, index);  // its state
  EXPECT_EQ(all[0].second, "\xC3");
  EXPECT_EQ(all[1].first, index + shard + std::string("\2Acme\0\1\x16\1\x2C", 10) + id);
  EXPECT_EQ(all[1].second, "\xC0");
}

// What is in an entry depends on the value of an entity without updates: so does the key.
TEST_P(IndexRecordsTest, OfARankedIndexLieWhereTheFormatSays) {
  const detail::EntityType& type = detail::kEntityType<conference::Talk>;
  const std::string expected(
      "\0\2Talk\0\1score\0\1\xED"
      "a\xA2\xE8",
      19);
  EXPECT_EQ(detail::find_index(type, type.indexes[3]).key(), expected);
}

// Shards under a former name count as well: entries that were made without them are not right.
TEST_P(IndexRecordsTest, OfARankedIndexLieElsewhereOnceItsPropertyHasAFormerName) {
  static const detail::EntityType& type = detail::kEntityType<conference::Talk>;
  static constexpr FormerName kOfScore[] = {{"points", "score"}}, kOfAnother[] = {{"free", "seats"}};
  static detail::EntityType renamed = type, with_another = type;
  renamed.former_names = kOfScore;
  with_another.former_names = kOfAnother;
  const auto key = [](const detail::EntityType& its) {
    return detail::find_index(its, its.indexes[3]).key();
  };
  ASSERT_EQ(type.indexes[3].members.front(), "score");
  EXPECT_NE(key(renamed), key(type));
  EXPECT_EQ(key(with_another), key(type));
}

TEST_P(IndexRecordsTest, AKeyThatIsTooLongNamesAllItsMembers) {
  faulty_.limit_keys(100);
  Member ann = member(1, "Ann", "ann@x");
  ann.team = std::string(100, 't');
  EXPECT_THAT([&] { mapper_.save(ann); },
              ThrowsMessage<KeyTooLong>(HasSubstr("choose a shorter team, active")));
  EXPECT_EQ(entries("name"), 0U);
}

TEST_P(IndexRecordsTest, FollowASave) {
  Member ann = member(1, "Ann", "ann@x"), bob = member(2, "Bob", "bob@x");
  bob.joined = std::chrono::sys_days(std::chrono::days(19'000));
  mapper_.save(ann);
  mapper_.save(bob);
  expect_right<Member>();
  EXPECT_EQ(entries("name"), 2U);
  ann.name = "Anna";
  ann.active = true;
  ann.level = Level::kTrusted;
  mapper_.save(ann);
  expect_right<Member>();
  EXPECT_EQ(entries("name"), 2U);
}

TEST_P(IndexRecordsTest, AreNotWrittenWhereNothingOfThemHasChanged) {
  Member ann = member(1, "Ann", "ann@x");
  mapper_.save(ann);
  const std::string key = detail::find_index(detail::kEntityType<Member>, index("name")).key();
  const auto reads_entries = store_->begin();
  std::string value;
  for (const auto& [entry, nil] : records(*store_, key, key + '\xFF')) reads_entries->get(entry, value);
  ann.note = "not indexed";
  mapper_.save(ann);
  EXPECT_EQ(reads_entries->commit(), CommitOutcome::kCommitted);
}

TEST_P(IndexRecordsTest, GoWithTheEntity) {
  Member ann = member(1, "Ann", "ann@x"), bob = member(2, "Bob", "bob@x");
  mapper_.save(ann);
  mapper_.save(bob);
  EXPECT_TRUE(mapper_.erase<Member>(1));
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 1U);
  EXPECT_EQ(mapper_.query<Member>(Fields<Member>::number == 2).erase(), 1U);
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 0U);
  Member again = member(1, "Another", "ann@x");
  mapper_.save(again);
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 1U);
}

TEST_P(IndexRecordsTest, AreRightBehindATombstone) {
  LogEntry entry = log_entry("Ann", "Acme", 1);
  entry.see(2);
  mapper_.save(entry);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(mapper_.erase<LogEntry>({"Ann", "Acme", entry.time()}));
  faulty_.before_commit([](int) { return Fate::kCommits; });
  expect_right<LogEntry>();
  LogEntry again = log_entry("Ann", "Acme", 1);
  mapper_.save(again);
  expect_right<LogEntry>();
}

TEST_P(IndexRecordsTest, FollowATransaction) {
  Member ann = member(1, "Ann", "ann@x"), bob = member(2, "Bob", "bob@x");
  mapper_.save(ann);
  mapper_.save(bob);
  mapper_.transact([](EntityTransaction& transaction) {
    Member one = transaction.load<Member>(1).value();
    one.name = "Once";
    transaction.save(one);
    one = transaction.load<Member>(1).value();
    one.name = "Twice";
    transaction.save(one);
    transaction.erase<Member>(2);
    transaction.save(member(3, "Cleo", "bob@x"));  // which is free by now
    transaction.save(member(4, "Dan", "dan@x"));
    Member dan = transaction.load<Member>(4).value();
    dan.email = "dan@y";
    transaction.save(dan);
    transaction.save(member(5, "Eve", "eve@x"));
    transaction.erase<Member>(5);
  });
  expect_right<Member>();
  EXPECT_EQ(entries("name"), 3U);
}

TEST_P(IndexRecordsTest, FollowABatch) {
  std::vector<Member> members;
  for (int number = 0; number < 200; ++number)
    members.push_back(member(number, "Ann", std::to_string(number == 150 ? 7 : number)));
  EXPECT_THROW(mapper_.save(members), BatchFailed);  // of two with the same email, the second is refused
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 199U);
  for (Member& each : members) each.name = "Bob";
  members[150].email = "150";
  mapper_.save(members);
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 200U);
  EXPECT_EQ(mapper_.erase<Member>(std::vector<int>{1, 2, 150}), 3U);
  expect_right<Member>();
}

TEST_P(IndexRecordsTest, AreNotThereAfterATransactionThatFails) {
  EXPECT_THROW(mapper_.transact([](EntityTransaction& transaction) {
    transaction.save(member(1, "Ann", "ann@x"));
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  expect_right<Member>();
  EXPECT_EQ(entries("name"), 0U);
}

TEST_P(IndexRecordsTest, AUniqueKeyIsRefusedTwice) {
  Member ann = member(1, "Ann", "ann@x"), bob = member(2, "Bob", "bob@x"), other = member(3, "Bob", "ann@x");
  mapper_.save(ann);
  mapper_.save(bob);
  EXPECT_THAT([&] { mapper_.save(other); },
              ThrowsMessage<NotUnique>(
                  HasSubstr("Member 1 has the same email as Member 3, and index email is unique")));
  EXPECT_FALSE(mapper_.exists<Member>(3));
  bob.email = "ann@x";
  EXPECT_THROW(mapper_.save(bob), NotUnique);
  EXPECT_EQ(mapper_.load<Member>(2)->email, "bob@x");
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) { transaction.save(bob); }), NotUnique);
  expect_right<Member>();
  ann.email = "ann@y";
  mapper_.save(ann);
  mapper_.save(bob);  // the same object, after the refusal
  mapper_.erase<Member>(1);
  other.email = "ann@y";
  mapper_.save(other);
  expect_right<Member>();
}

// The store's own refusal would look as if it were unavailable, for all of them.
TEST_P(IndexRecordsTest, AKeyThatIsTooLongIsTheErrorOfItsEntityOnly) {
  faulty_.limit_keys(200);
  Mapper limited(faulty_, {.compact_every = 0ms});
  std::vector<Member> batch;
  for (int number = 0; number < 6; ++number)
    batch.push_back(member(number, std::string(number == 2 ? 300 : 3, 'x'), std::to_string(number)));
  try {
    limited.save(batch);
    ADD_FAILURE() << "no error";
  } catch (const BatchFailed& failed) {
    ASSERT_EQ(failed.failures().size(), 1U);
    EXPECT_EQ(failed.failures()[0].place, 2U);
    EXPECT_THAT([&] { std::rethrow_exception(failed.failures()[0].error); },
                ThrowsMessage<KeyTooLong>(HasSubstr("entry of Member 2 in index name needs a key of 3")));
  }
  EXPECT_EQ(other_.query<Member>().count(), 5U);
  expect_right<Member>();
  LogEntry entry = log_entry(std::string(300, 'x'), "", 1);
  EXPECT_THAT([&] { limited.save(entry); }, ThrowsMessage<KeyTooLong>(HasSubstr("choose a shorter id")));
}

TEST_P(IndexRecordsTest, ATransactionGoesOnAfterARefusal) {
  Member ann = member(1, "Ann", "ann@x");
  mapper_.save(ann);
  mapper_.transact([](EntityTransaction& transaction) {
    EXPECT_THROW(transaction.save(member(2, "Bob", "ann@x")), NotUnique);
    EXPECT_FALSE(transaction.exists<Member>(2));
    transaction.save(member(2, "Bob", "bob@x"));
  });
  expect_right<Member>();
  EXPECT_EQ(entries("email"), 2U);
}

// Somebody else takes the key between the read that finds it free and the commit.
TEST_P(IndexRecordsTest, OfTwoWhoTakeAUniqueKeyAtOnceOneIsRefused) {
  Member mine = member(1, "Ann", "ann@x"), theirs = member(2, "Ann", "ann@x"), first = member(9, "", "first");
  mapper_.save(first);
  faulty_.before_commit([&](int nth) {
    if (nth == 1) other_.save(theirs);
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper_.save(mine), NotUnique);
  EXPECT_FALSE(other_.exists<Member>(1));
  expect_right<Member>();
}

// A save that meets a change of what it has read of the entity's own entries is made anew.
TEST_P(IndexRecordsTest, AreRightAfterAConflict) {
  Member ann = member(1, "Ann", "ann@x");
  mapper_.save(ann);
  faulty_.before_commit([&](int nth) { return nth < 3 ? Fate::kConflicts : Fate::kCommits; });
  ann.name = "Anna";
  mapper_.save(ann);
  expect_right<Member>();
}

class IndexThreadsTest : public IndexTest {};
INSTANTIATE_TEST_SUITE_P(Stores, IndexThreadsTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(IndexThreadsTest, AreRightInEveryState) {
  constexpr int kWriters = 3, kRounds = 300, kMembers = 12;
  std::mt19937_64 seeds = seeded_generator();
  std::atomic<int> writing{kWriters};
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, generator = std::mt19937_64(seeds())]() mutable {
      for (int round = 0; round < kRounds; ++round) {
        const int number = static_cast<int>(below(generator, kMembers));
        const std::string name(1, static_cast<char>('a' + below(generator, 4)));
        const std::string email = name + std::to_string(below(generator, kMembers));
        try {
          if (below(generator, 5) == 0) {
            other_.erase<Member>(number);
          } else if (std::optional<Member> there = other_.load<Member>(number)) {
            there->name = name;
            there->email = email;
            there->team = std::string(below(generator, 3), 't');
            there->active = !there->active;
            other_.save(*there);
          } else {
            Member added = member(number, name, email);
            other_.save(added);
          }
        } catch (const StaleEntity&) {
        } catch (const NotFound&) {
        } catch (const NotUnique&) {
        }
      }
      --writing;
    });
  }
  do {
    expect_right<Member>();
  } while (writing > 0);
  for (std::thread& writer : writers) writer.join();
  expect_right<Member>();
}

/// However many classes a program has. On a store that no other process writes.
TEST(IndexStatesTest, OnlyTheFirstUpdateOfAClassLooksForIndexesOfOthers) {
  MemoryStore store;
  const std::vector<detail::EntityType> types(200, detail::kEntityType<conference::FormerTalk>);
  FaultyStore counting(store);
  int looks = 0;
  counting.before_begin([&] { ++looks; });
  detail::CommitContext context(counting, {});
  detail::IndexStates states(context);
  ASSERT_FALSE(states.are_read_by_updates());
  for (int round = 0; round < 3; ++round) {
    for (const detail::EntityType& type : types) states.note_update(type);
    EXPECT_EQ(looks, static_cast<int>(types.size()));
  }
}

}  // namespace
}  // namespace autoshard::test
