// Sliding windows: which buckets compaction and maintenance remove, and when.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "support/faulty_store.h"
#include "window_fixture.h"

namespace autoshard::test {
namespace {

class WindowCompactionTest : public WindowTest {};
INSTANTIATE_TEST_SUITE_P(Stores, WindowCompactionTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(WindowCompactionTest, CompactionRemovesWhatHasFallenOut) {
  mapper_.save(Page(1));
  for (int bucket = 0; bucket < 20; ++bucket) {
    mapper_.apply<&Page::click>(1, 1, 1);
    now_ += kBucket;
  }
  EXPECT_EQ(clicks(), 5);
  EXPECT_EQ(buckets(), 40U);
  EXPECT_EQ(admin::compact<Page>(mapper_, 1), 0U);
  EXPECT_EQ(clicks(), 5);
  pass(kUntilEnd);
  now_ += 10 * kLast;
  EXPECT_EQ(admin::compact<Page>(mapper_), 18U);
  EXPECT_EQ(buckets(), 22U);  // those of the window, and of the minute that it leaves to slow clocks
  pass(kUntilEnd - 1ms);
  now_ += 10 * kLast;
  EXPECT_EQ(admin::compact<Page>(mapper_), 0U);
  pass(1ms);
  EXPECT_EQ(admin::compact<Page>(mapper_), 22U);
  EXPECT_EQ(buckets(), 0U);
  EXPECT_EQ(clicks(), 0);
}

/// The other compaction runs before the nth transaction or snapshot of the late one. For a bucket of the
/// first age, compaction leaves an end alone that has not come. For one of the second age, it reads the
/// store's clock.
TEST_P(WindowCompactionTest, OfTwoCompactionsOneChangesABucket) {
  for (const std::chrono::seconds age : {kLast + 70s, 10 * kLast}) {
    int nth = 1;
    for (bool have_met = true; have_met; ++nth) {
      SCOPED_TRACE(std::to_string(age.count()) + " seconds, " + std::to_string(nth));
      have_met = false;
      int begun = 0;
      std::uint64_t by_other = 0;
      FaultyStore faulty(*store_);
      faulty.before_begin([&] {
        if (++begun != nth) return;
        have_met = true;
        by_other += admin::compact<Page>(mapper_, 1);
      });
      Mapper late(faulty, options());
      const auto compact_late = [&] {
        begun = 0;
        return admin::compact<Page>(late, 1);
      };
      mapper_.save(Page(1));
      mapper_.apply<&Page::click>(1, 1, 1);
      now_ += age;
      EXPECT_EQ(compact_late(), 0U);
      EXPECT_EQ(buckets_with_end(), 2U);
      pass(kUntilEnd);
      now_ += 10 * kLast;
      const std::uint64_t by_late = compact_late();
      EXPECT_EQ(by_late + by_other, 2U);
      EXPECT_EQ(buckets(), 0U);
      mapper_.erase<Page>(1);
    }
    EXPECT_GT(nth, 4) << "also before the transactions that compact";
  }
}

TEST_P(WindowCompactionTest, MaintenanceRemovesWhatALoadHasNoticed) {
  click_long_ago();
  Mapper maintained(*store_, this->maintained());
  while (buckets() != 0) {  // or the test times out
    EXPECT_EQ(maintained.load<Page>(1).value().clicks(), 0);
    pass(kUntilEnd);
    std::this_thread::yield();
  }
  EXPECT_EQ(clicks(), 0);
}

TEST_P(WindowCompactionTest, MaintenanceFollowsUpdatesThatNobodyLoads) {
  click_long_ago();
  Mapper maintained(*store_, this->maintained());
  maintained.apply<&Page::click>(1, 1, 1);
  while (buckets_with_end() != 2) std::this_thread::yield();  // or the test times out
  EXPECT_EQ(buckets(), 4U);
  EXPECT_EQ(clicks(), 1);
}

TEST_P(WindowCompactionTest, CompactionByAFastClockTakesNothingFromASlowOne) {
  mapper_.save(Page(1));
  mapper_.apply<&Page::click>(1, 1, 1);
  Mapper other(*store_, fast());
  EXPECT_EQ(other.load<Page>(1).value().clicks(), 0);
  admin::compact<Page>(other, 1);
  EXPECT_EQ(buckets_with_end(), 0U);
  EXPECT_EQ(clicks(), 1);
}

// However fast the clock is, a bucket stays until the span of the window has passed since its last update.
TEST_P(WindowCompactionTest, CompactionByAClockThatIsFarAheadTakesNothingThatCounts) {
  mapper_.save(Page(1));
  mapper_.apply<&Page::click>(1, 1, 1);
  long expected = 1;
  for (const std::chrono::minutes ahead : {2min, 24 * 60min}) {
    MapperOptions fast = options();
    fast.clock = [=, this] { return now_ + ahead; };
    Mapper other(*store_, fast);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(admin::compact<Page>(other, 1), 0U);
    EXPECT_EQ(buckets_with_end(), 2U);
    EXPECT_EQ(clicks(), expected);
    pass(kUntilEnd - 1ms);
    EXPECT_EQ(admin::compact<Page>(other, 1), 0U);
    // An update gives the bucket another span of time.
    mapper_.apply<&Page::click>(1, 1, 1);
    EXPECT_EQ(buckets_with_end(), 0U);
    pass(1ms);
    EXPECT_EQ(admin::compact<Page>(other, 1), 0U);
    EXPECT_EQ(clicks(), ++expected);
  }
}

TEST_P(WindowCompactionTest, CompactionByAFastClockMovesWhatCountsForASlowOne) {
  MapperOptions random = options();
  random.choice = ShardChoice::kRandom;
  random.combine = false;
  Mapper spread(*store_, random);
  mapper_.save(Page(1));
  for (int i = 0; i < 20; ++i) spread.apply<&Page::click>(1, 1, 1);
  Mapper other(*store_, fast());
  const std::size_t before = buckets();
  admin::set_shards<Page>(other, 1, "clicks", 1);
  admin::compact<Page>(other, 1);
  EXPECT_LT(buckets(), before);
  EXPECT_EQ(clicks(), 20);
}

}  // namespace
}  // namespace autoshard::test
