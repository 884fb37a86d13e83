// Copies of whole stores.

#include "copy.h"

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "scan.h"
#include "support/faulty_store.h"
#include "support/test_store.h"
#ifdef AUTOSHARD_TEST_COPIES_TO_MARIADB
#include "mariadb_server.h"
#endif

namespace autoshard::test {
namespace {

using activity::Member;
using airline::Flight;
using ctl::copy;
using forum::Topic;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace std::chrono_literals;

using Content = std::map<std::string, std::string>;

/// All records but those that are reserved for the store.
Content content(Store& store) {
  Content content;
  ctl::for_each_record(*store.snapshot(), "", [&](std::string_view key, std::string_view value) {
    if (!ctl::is_reserved(key)) content.emplace(key, value);
    return true;
  });
  return content;
}

void put(Store& store, std::string_view key, std::string_view value) {
  const auto transaction = store.begin();
  transaction->put(key, value);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

/// A store with shards, deltas, elements and indexes.
class CopyTest : public ::testing::Test {
 protected:
  CopyTest() {
    Mapper mapper(from_, {.combine = false, .compact_every = 0ms});
    for (int id = 1; id <= 300; ++id) {
      mapper.save(Flight(id));
      mapper.apply<&Flight::like>(id);
      Member member(id);
      member.name = "member " + std::to_string(id);
      member.email = std::to_string(id) + "@example.org";
      mapper.save(member);
    }
    mapper.save(Topic(1));
    for (const char* text : {"first", "second"}) mapper.apply<&Topic::add_post>(1, text);
    wanted_ = content(from_);
  }

  MemoryStore from_, to_;
  Content wanted_;
};

TEST_F(CopyTest, HoldsTheSame) {
  const ctl::Copied copied = copy(from_, to_, {});
  EXPECT_EQ(content(to_), wanted_);
  EXPECT_EQ(copied.records, wanted_.size());
  EXPECT_EQ(copied.written, wanted_.size());
  EXPECT_EQ(copied.removed, 0U);
  Mapper mapper(to_);
  mapper.apply<&Flight::like>(7);
  EXPECT_EQ(mapper.load<Flight>(7).value().likes(), 2);
  EXPECT_EQ(mapper.load<Topic>(1).value().texts().size(), 2U);
}

TEST_F(CopyTest, GoesOnWhereItWasCutShort) {
  std::mt19937_64 generator = seeded_generator();
  FaultyStore faulty(to_);
  faulty.limit_commits(2000, FaultyStore::Limit::kTold);
  faulty.before_commit([&](int nth) {
    if (nth == 1) return Fate::kUnknownLate;
    constexpr Fate kFates[] = {Fate::kCommits,     Fate::kCommits,     Fate::kConflicts,  Fate::kCrashes,
                               Fate::kUnknownDone, Fate::kUnknownLost, Fate::kUnknownLate};
    return kFates[below(generator, std::size(kFates))];
  });
  int crashes = 0;
  for (std::size_t before = 0;; ++crashes) {
    try {
      copy(from_, faulty, {});
      break;
    } catch (const StoreUnavailable&) {
      EXPECT_GE(content(to_).size(), before);
      before = content(to_).size();
    }
  }
  EXPECT_GT(crashes, 0);
  EXPECT_EQ(content(to_), wanted_);
  const std::string changed = wanted_.begin()->first;
  put(to_, changed, "a program goes on");
  while (faulty.late() > 0) faulty.deliver();
  Content with_change = wanted_;
  with_change[changed] = "a program goes on";
  EXPECT_EQ(content(to_), with_change);
  EXPECT_GT(faulty.commits(), 20);
}

TEST_F(CopyTest, LeavesATargetWithOtherRecordsAlone) {
  const std::string common = std::next(wanted_.begin(), 100)->first;
  put(to_, "another", "1");
  put(to_, common, "2");
  const Content before = content(to_);
  EXPECT_THAT([&] { copy(from_, to_, {}); },
              ThrowsMessage<InvalidUse>(HasSubstr("the target has 2 records that the source does not have")));
  EXPECT_EQ(content(to_), before);
  const ctl::Copied copied = copy(from_, to_, {.replace = true});
  EXPECT_EQ(content(to_), wanted_);
  EXPECT_EQ(copied.written, wanted_.size());
  EXPECT_EQ(copied.removed, 1U);
}

TEST_F(CopyTest, LeavesTheRecordsOfTheStoresAlone) {
  put(from_, std::string("\0\0clock", 7), "1");
  put(to_, std::string("\0\0format", 8), "2");
  copy(from_, to_, {});
  std::string value;
  EXPECT_FALSE(to_.snapshot()->get(std::string("\0\0clock", 7), value));
  EXPECT_TRUE(to_.snapshot()->get(std::string("\0\0format", 8), value));
}

TEST_F(CopyTest, RefusesKeysThatAreTooLongBeforeItWrites) {
  FaultyStore short_keys(to_);
  short_keys.limit_keys(20);
  EXPECT_THAT([&] { copy(from_, short_keys, {}); },
              ThrowsMessage<KeyTooLong>(HasSubstr("the target allows keys of 20 bytes")));
  EXPECT_TRUE(content(to_).empty());
}

TEST_F(CopyTest, DividesCommitsThatAreTooLarge) {
  FaultyStore small_commits(to_);
  small_commits.limit_commits(500, FaultyStore::Limit::kSecret);
  copy(from_, small_commits, {});
  EXPECT_GT(small_commits.too_large(), 0);
  EXPECT_EQ(content(to_), wanted_);
}

TEST_F(CopyTest, NoticesAProgramThatWritesToTheTarget) {
  const std::string first = wanted_.begin()->first, last = wanted_.rbegin()->first;
  for (const std::string& key : {first, last}) {  // between a read and its commit, and between two batches
    MemoryStore to;
    FaultyStore busy(to);
    busy.limit_commits(2000, FaultyStore::Limit::kTold);
    busy.before_commit([&](int nth) {
      if (nth == 1) put(to, key, "another value");
      return Fate::kCommits;
    });
    EXPECT_THAT([&] { copy(from_, busy, {}); },
                ThrowsMessage<InvalidUse>(HasSubstr("another program writes to one of the stores")));
    std::string value;
    EXPECT_TRUE(to.snapshot()->get(key, value) && value == "another value");
  }
  FaultyStore late(to_);  // after the last batch
  late.before_begin([&] {
    if (content(to_) == wanted_) put(to_, "another", "1");
  });
  EXPECT_THAT([&] { copy(from_, late, {}); },
              ThrowsMessage<InvalidUse>(HasSubstr("another program writes to one of the stores")));
}

TEST_F(CopyTest, NoticesAProgramThatWritesToTheSource) {
  FaultyStore to(to_);
  to.before_commit([&](int nth) {
    if (nth == 1) put(from_, "another", "1");
    return Fate::kCommits;
  });
  EXPECT_THAT([&] { copy(from_, to, {}); },
              ThrowsMessage<InvalidUse>(HasSubstr("another program writes to one of the stores")));
  EXPECT_EQ(content(to_), wanted_);
  put(from_, "yet another", "1");
  copy(from_, to, {.replace = true, .is_live = true});
  EXPECT_EQ(content(to_), content(from_));
}

TEST_F(CopyTest, RefusesASourceWithoutRecords) {
  MemoryStore empty;
  put(to_, "a record", "1");
  EXPECT_THAT([&] { copy(empty, to_, {.replace = true}); },
              ThrowsMessage<InvalidUse>(HasSubstr("the source has no records")));
  EXPECT_EQ(content(to_).size(), 1U);
}

TEST_F(CopyTest, NamesTheRecordThatIsTooLarge) {
  put(from_, "large", std::string(3000, 'x'));
  FaultyStore small(to_);
  small.limit_commits(2000, FaultyStore::Limit::kSecret);
  EXPECT_THAT([&] { copy(from_, small, {}); }, ThrowsMessage<CommitTooLarge>(HasSubstr("; key 6c61726765")));
  small.limit_commits(4000, FaultyStore::Limit::kSecret);
  copy(from_, small, {});
  EXPECT_EQ(content(to_), content(from_));
}

TEST_F(CopyTest, DividesBatchesThatConflictTooOften) {
  FaultyStore busy(to_);
  busy.before_commit([&](int nth) { return nth <= 20 ? Fate::kConflicts : Fate::kCommits; });
  copy(from_, busy, {});
  EXPECT_EQ(content(to_), wanted_);
}

TEST_F(CopyTest, TellsHowFarItIs) {
  for (int i = 0; i < 10'000; ++i) put(from_, "record " + std::to_string(i), "1");
  std::map<ctl::CopyPhase, std::uint64_t> last;
  copy(from_, to_, {.progress = [&](ctl::CopyPhase phase, std::uint64_t records) {
         EXPECT_GT(records, last[phase]);
         last[phase] = records;
       }});
  for (const ctl::CopyPhase phase :
       {ctl::CopyPhase::kCheck, ctl::CopyPhase::kWrite, ctl::CopyPhase::kCompare})
    EXPECT_GT(last[phase], 8000U);
}

#ifdef AUTOSHARD_TEST_COPIES_TO_MARIADB
TEST_F(CopyTest, ToMariaDbAndBack) {
  MySqlStore mariadb(options_of_a_new_table({open_server().socket()}));
  copy(from_, mariadb, {});
  EXPECT_EQ(content(mariadb), wanted_);
  copy(mariadb, to_, {});
  EXPECT_EQ(content(to_), wanted_);
  Mapper mapper(mariadb);
  mapper.apply<&Flight::like>(7);
  EXPECT_EQ(mapper.load<Flight>(7).value().likes(), 2);
}
#endif

}  // namespace
}  // namespace autoshard::test
