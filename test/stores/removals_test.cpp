// Scans do not pass records that were removed long ago.

#include "removals.h"

#include <pthread.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "removals_fixture.h"

namespace autoshard::test {
namespace {

/// Where reads and removals take turns, as they do in an application.
TEST_F(RemovalsTest, DoNotPileUp) {
  std::uint64_t most = 0;
  for (int round = 0; round < 30; ++round) {
    add_and_remove_many("b");
    const auto read = [&] { scan("b", "c"); };
    most = std::max(most, passed(read));
    ASSERT_LE(passed_at_last(read), kFew);
  }
  EXPECT_EQ(most, kMany);
}

TEST_F(RemovalsTest, AreTidiedUpInFilesAsWellAsInMemory) {
  for (const bool has_reader : {false, true}) {
    put_many("b");
    ASSERT_TRUE(database_->db().Flush({}).ok());
    erase_many("b");
    std::unique_ptr<Snapshot> reader;
    if (has_reader) reader = store_->snapshot();
    ASSERT_TRUE(database_->db().Flush({}).ok());
    EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U) << has_reader;
    EXPECT_EQ(tombstones("", "\xFF"), 0U);
  }
}

TEST_F(RemovalsTest, StayWhereASnapshotNeedsThem) {
  put_many("b");
  auto snapshot = store_->snapshot();
  erase_many("b");
  scan_enough("b", "c");
  EXPECT_EQ(tombstones("b", "c"), kMany);
  EXPECT_EQ(records(*store_, "b", "c").size(), 0U);
  int there = 0;
  for (const auto cursor = snapshot->scan("b", "c"); cursor->valid(); cursor->next()) ++there;
  EXPECT_EQ(there, kMany);
  snapshot = nullptr;
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

/// Each compaction that drops nothing doubles the number of tombstones that the next one needs.
TEST_F(RemovalsTest, AreSeldomTriedWhereASnapshotNeedsThem) {
  put_many("b");
  auto snapshot = store_->snapshot();
  erase_many("b");
  Removals& removals = database_->removals();
  std::vector<int> compactions;  // when they were
  for (int i = 1; i <= 70; ++i) {
    const auto before = sorted_files();
    removals.note("b", "c", Removals::kWorthCompacting);
    removals.wait();
    if (sorted_files() != before) compactions.push_back(i);
  }
  EXPECT_EQ(compactions, (std::vector{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(tombstones("b", "c"), kMany);

  // Another snapshot does not pay for it.
  snapshot = nullptr;
  put(*store_, "a", "");
  snapshot = store_->snapshot();
  removals.note("b", "c", 64 * Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
  add_and_remove_many("b");
  put(*store_, "a", "");
  snapshot = store_->snapshot();
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

/// So that the place of a compaction does not grow with each one.
TEST_F(RemovalsTest, OfACompactedPlaceAreNotLookedForAgain) {
  put(*store_, "a", "");
  const auto snapshot = store_->snapshot();
  add_and_remove_in_file("b");
  Removals& removals = database_->removals();
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  ASSERT_EQ(tombstones("b", "c"), 0U);
  add_and_remove_in_file("b");
  add_and_remove_in_file("d");
  removals.note("c", "e", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("d", "e"), 0U);
  EXPECT_EQ(tombstones("b", "c"), kMany);
}

TEST_F(RemovalsTest, OfAPlaceThatIsNotedDuringTheCompactionOfItsNeighbourAreTidiedUp) {
  put(*store_, "b", "");                     // which the compaction writes to a file
  const auto snapshot = store_->snapshot();  // because of which the compacted place is remembered
  for (const char* prefix : {"b", "d"}) add_and_remove_in_file(prefix);
  Removals& removals = database_->removals();
  files_->hold();
  removals.note("b", "c", Removals::kWorthCompacting);
  files_->wait_until_held();
  removals.note("c", "e", Removals::kWorthCompacting);
  files_->go_on();
  removals.wait();
  EXPECT_EQ(tombstones("b", "e"), 0U);
}

/// A scan that finds more records than it passes tombstones takes at most twice as long as it has to.
TEST_F(RemovalsTest, StayAmongMoreRecords) {
  put_many("b");
  put(*store_, "c", "");
  erase_many("b", 1, 2);
  for (std::uint64_t sum = 0; sum < 2 * Removals::kWorthCompacting; sum += kMany / 2) {
    scan("b", "d");
    database_->removals().wait();
  }
  EXPECT_EQ(tombstones("b", "d"), kMany / 2);
  erase_many("b", 0, kMany);  // one more
  EXPECT_EQ(passed_at_last([&] { scan("b", "d"); }), 0U);
}

TEST_F(RemovalsTest, OfFewRecordsStay) {
  put_many("b");
  erase_many("b", 0, kMany / static_cast<int>(kFew) + 1);
  const std::uint64_t removed = tombstones("b", "c");
  ASSERT_GT(removed, 0U);
  const auto read = [&] {
    const auto cursor = store_->scan("b", "c");
    ASSERT_TRUE(cursor->valid());
  };
  for (std::uint64_t sum = 0; sum < 2 * Removals::kWorthCompacting;
       sum += std::max<std::uint64_t>(1, passed(read)))
    database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), removed);
}

/// From where the scan began to where it ended, and no further: the rest of an index may be large.
TEST_F(RemovalsTest, AreTidiedUpWhereTheScanWasOnly) {
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    for (const char* prefix : {"b", "f"}) add_and_remove_in_file(prefix);
    for (const char* there : {"c", "e"}) put(*store_, there, "");
    const bool is_forward = direction == Direction::kForward;
    const auto read_one = [&] {
      const auto snapshot = store_->snapshot();
      const auto cursor = snapshot->scan("b", "g", direction);
      ASSERT_TRUE(cursor->valid());
      ASSERT_EQ(cursor->key(), is_forward ? "c" : "e");
    };
    EXPECT_EQ(passed_at_last(read_one), 0U);
    EXPECT_EQ(tombstones("b", "g"), kMany);
    EXPECT_EQ(passed_at_last([&] { scan("b", "g"); }), 0U);
  }
}

TEST_F(RemovalsTest, AreFoundInEachOfSeveralRanges) {
  const auto scan_all = [&](std::vector<KeyRange> ranges, bool to_the_end) {
    return [this, ranges = std::move(ranges), to_the_end] {
      const auto snapshot = store_->snapshot();
      const auto cursor = snapshot->scan_all(ranges);
      while (to_the_end && cursor->valid()) cursor->next();
    };
  };
  for (const char* prefix : {"b", "d"}) add_and_remove_many(prefix);
  add_and_remove_in_file("f");
  put(*store_, "e", "");
  // The first range ends without a record. The cursor ends at the record of the second one.
  EXPECT_EQ(passed_at_last(scan_all({{"b", "bz"}, {"d", "e1"}}, false)), 0U);
  EXPECT_EQ(tombstones("b", "e"), 0U);
  EXPECT_EQ(tombstones("f", "g"), kMany);
  add_and_remove_in_file("h");
  put(*store_, "g", "");
  EXPECT_EQ(passed_at_last(scan_all({{"c1", "c2"}, {"f", "g1"}, {"h", "hz"}}, true)), 0U);
  EXPECT_EQ(tombstones("", "\xFF"), 0U);
}

/// RocksDB counts for each thread.
TEST_F(RemovalsTest, AreCountedForACursorThatChangesThreads) {
  add_and_remove_many("b");
  const auto read = [&] {
    std::unique_ptr<Cursor> cursor;
    std::thread([&] { cursor = store_->scan("b", "c"); }).join();
    ASSERT_FALSE(cursor->valid());
  };
  for (int scans = 0; scans < 10; ++scans) read();
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, OfPlacesThatOverlapAreCountedTogether) {
  add_and_remove_many("b");
  constexpr std::uint64_t kHalf = Removals::kWorthCompacting / 2;
  Removals& removals = database_->removals();
  removals.note("a", "az", kHalf);
  removals.note("bz", "c", kHalf);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany) << "no two places overlap";
  removals.note("az", "bz", 1);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U) << "the places between have become one";
}

/// The places with the most tombstones are remembered.
TEST_F(RemovalsTest, AreForgottenWhereThePlacesAreTooMany) {
  constexpr std::uint64_t kNearlyEnough = Removals::kWorthCompacting - 1;
  Removals& removals = database_->removals();
  for (const char* place : {"b", "w", "z"}) add_and_remove_in_file(place);
  removals.note("b", "bz", kNearlyEnough);
  removals.note("w", "wz", 1);
  for (std::size_t i = 2; i < Removals::kMostPlaces; ++i) {
    const std::string place = key("x", static_cast<int>(i));
    removals.note(place, place, 2);
  }
  removals.note("z", "zz", kNearlyEnough);
  for (const char* place : {"b", "w", "z"}) {
    const std::uint64_t missing = place == std::string("w") ? kNearlyEnough : 1;
    removals.note(place, place + std::string("z"), missing);
    removals.wait();
    EXPECT_EQ(tombstones(place, place + std::string("z")), missing == 1 ? 0U : kMany) << place;
  }
}

/// There are too many places before one is worth a compaction, and none has more tombstones than the others.
TEST_F(RemovalsTest, AreTidiedUpWhereScansVisitManyPlacesInTurn) {
  add_and_remove_many("b");
  Removals& removals = database_->removals();
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 5'000; ++i) {
      const std::string place = key("b", i);
      removals.note(place, place, Removals::kWorthCompacting / 2 + 1);
      removals.wait();
    }
  }
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, StayOnADiskThatIsNearlyFull) {
  add_and_remove_many("b");
  files_->set_free_space(0);
  scan_enough("b", "c");
  EXPECT_EQ(tombstones("b", "c"), kMany);
  files_->set_free_space(kAllFree);
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

/// Nobody waits for a thread that could not be started. A later cursor starts it.
TEST_F(RemovalsTest, StayWhereThereIsNoThread) {
  add_and_remove_many("b");
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_default_np(&attributes), 0);
  std::size_t stack = 0;
  ASSERT_EQ(pthread_attr_getstacksize(&attributes, &stack), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 50), 0);
  ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
  EXPECT_THROW(database_->removals().note("b", "c", Removals::kWorthCompacting), std::system_error);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack), 0);
  ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
  pthread_attr_destroy(&attributes);
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), kMany);
  scan("b", "c");
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, DoNotKeepTheStoreFromClosing) {
  put(*store_, "a", "");
  add_and_remove_many("b");
  ASSERT_TRUE(database_->db().Flush({}).ok());
  Removals& removals = database_->removals();
  files_->hold();
  removals.note("b", "c", Removals::kWorthCompacting);
  files_->wait_until_held();
  removals.cancel();  // which is how a store begins to close
  files_->go_on();
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany);
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany) << "no other compaction follows";
  open(kFast);
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

}  // namespace
}  // namespace autoshard::test
