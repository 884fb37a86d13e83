// Sliding windows: which buckets compaction and maintenance remove, and when.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "compaction.h"
#include "entities/types/course.autoshard.h"
#include "support/faulty_store.h"
#include "sweep.h"
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

TEST_P(WindowCompactionTest, MaintenanceRemovesWhatATransactionHasNoticed) {
  click_long_ago();
  Mapper maintained(*store_, this->maintained());
  while (buckets() != 0) {  // or the test times out
    maintained.transact(
        [](EntityTransaction& transaction) { EXPECT_EQ(transaction.load<Page>(1).value().clicks(), 0); });
    pass(kUntilEnd);
    std::this_thread::yield();
  }
}

/// Of a class that has no other version in these tests: of a kind, only one class has a sweep.
TEST_P(WindowCompactionTest, MaintenanceFindsEntitiesThatAreNotUsed) {
  using school::Course;
  mapper_.save(Course(1));
  mapper_.apply<&Course::view>(1);
  now_ += 30 * 24h;
  const detail::EntityKey key = detail::entity_key("Course", 1);
  const auto has_end = [&] {
    return std::ranges::any_of(records(*store_, key), [&](const auto& record) {
      const auto shard = detail::read_shard_key(key, record.first);
      return shard && detail::read_bucket(*shard) && detail::read_bucket_end(record.first, record.second);
    });
  };
  EXPECT_FALSE(has_end());
  Mapper maintained(*store_, this->maintained());
  while (!has_end()) std::this_thread::yield();  // or the test times out
}

/// Two mappers, of which one walks over the pages. Neither loads or updates a page.
TEST_P(WindowCompactionTest, ASweepRemovesTheBucketsOfEntitiesThatAreNotUsed) {
  for (int page = 1; page <= 200; ++page) {  // more than one call of `run` sees
    mapper_.save(Page(page));
    mapper_.apply<&Page::click>(page, 1, 1);
  }
  now_ += 10 * kLast;
  const detail::EntityType& type = detail::kEntityType<Page>;
  detail::platform::Clock::time_point steady{1h};
  const auto clock = [&] { return steady; };
  MapperOptions options = this->options();
  options.compact_every = 1s;
  detail::MapperContext context(*store_, options);
  detail::Sweep sweep(context, type, clock), other(context, type, clock);
  int calls = 0;
  const auto run = [&](detail::Sweep& one) {
    return one.run([&](detail::EntityKeyView key) { detail::compact(context, type, key); },
                   [&] { return ++calls > 0; });
  };
  EXPECT_EQ(run(sweep), steady + 60s) << "a program that ends soon does not begin";
  EXPECT_EQ(calls, 0);
  const auto walk = [&] {
    int rounds = 1;
    while (run(sweep) == detail::Sweep::Time{}) ++rounds;
    return rounds;
  };
  steady += 60s;
  EXPECT_GT(walk(), 2);
  EXPECT_EQ(run(other), steady + 10min);
  EXPECT_EQ(buckets_with_end(), 2U);
  EXPECT_EQ(buckets(200), 2U);
  pass(kUntilEnd);
  now_ += 10 * kLast;
  calls = 0;
  EXPECT_EQ(run(sweep), steady + 10min) << "the next walk is not due";
  EXPECT_EQ(calls, 0);
  steady += 10min;
  EXPECT_EQ(run(other), steady + 10min) << "the other mapper has walked";
  EXPECT_GT(walk(), 2);
  for (const int page : {1, 100, 200}) EXPECT_EQ(buckets(page), 0U);
  steady += 10min;
  calls = 0;
  EXPECT_EQ(run(sweep), steady + 10min);
  EXPECT_EQ(calls, 1) << "one page, without an entity to compact";
}

TEST(SweepTest, TheIntervalOfSweepsFollowsTheShortestWindow) {
  const auto interval = [](std::chrono::seconds one, std::chrono::seconds other) {
    detail::EntityType type = detail::kEntityType<Page>;
    std::vector<detail::ShardedPropertyType> sharded(3, type.sharded.front());
    sharded[0].window.last = std::chrono::milliseconds(one).count();
    sharded[1].window.last = std::chrono::milliseconds(other).count();
    sharded[2].strategy = detail::StrategyKind::kShards;
    sharded[2].window.last = 0;
    type.sharded = sharded;
    return detail::Sweep::interval(type);
  };
  EXPECT_EQ(interval(1min, 24h), 10min);
  EXPECT_EQ(interval(20min, 24h), 20min);
  EXPECT_EQ(interval(24h, 20min), 20min);
  EXPECT_EQ(interval(24h, 48h), 1h);
}

TEST_P(WindowCompactionTest, ASweepThatPausesForLongEndsIfAnotherMapperWalks) {
  for (int page = 1; page <= 200; ++page) {
    mapper_.save(Page(page));
    mapper_.apply<&Page::click>(page, 1, 1);
  }
  now_ += 10 * kLast;
  detail::platform::Clock::time_point steady{1h};
  const auto clock = [&] { return steady; };
  detail::MapperContext context(*store_, options());
  const detail::EntityType& type = detail::kEntityType<Page>;
  detail::Sweep slow(context, type, clock), other(context, type, clock);
  const auto run = [](detail::Sweep& one) {
    return one.run([](detail::EntityKeyView) {}, [] { return true; });
  };
  const detail::Sweep::Time goes_on{};
  EXPECT_EQ(run(slow), goes_on);
  EXPECT_EQ(run(other), steady + 10min);
  steady += 20min;
  EXPECT_EQ(run(other), goes_on) << "the lease was not renewed for two intervals";
  EXPECT_NE(run(slow), goes_on);
}

TEST_P(WindowCompactionTest, ASweepOfNoEntitiesTakesNoLease) {
  detail::platform::Clock::time_point steady{1h};
  detail::MapperContext context(*store_, options());
  detail::Sweep sweep(context, detail::kEntityType<Page>, [&] { return steady; });
  const auto run = [&] { return sweep.run([](detail::EntityKeyView) {}, [] { return true; }); };
  EXPECT_EQ(run(), steady + 10min);
  std::string record;
  EXPECT_FALSE(store_->snapshot()->get(detail::lease_key("sweep of Page"), record));
  mapper_.save(Page(1));
  steady += 10min;
  EXPECT_EQ(run(), steady + 10min);
  EXPECT_TRUE(store_->snapshot()->get(detail::lease_key("sweep of Page"), record));
}

TEST_P(WindowCompactionTest, ASweepStopsWhenItMust) {
  click_long_ago();
  detail::platform::Clock::time_point steady{1h};
  detail::MapperContext context(*store_, options());
  detail::Sweep sweep(context, detail::kEntityType<Page>, [&] { return steady; });
  bool goes_on = false;
  int found = 0;
  const auto run = [&] {
    return sweep.run([&](detail::EntityKeyView) { ++found; }, [&] { return goes_on; });
  };
  EXPECT_EQ(run(), detail::Sweep::Time{}) << "it goes on in the next round";
  EXPECT_EQ(found, 0);
  goes_on = true;
  EXPECT_EQ(run(), steady + 10min);
  EXPECT_EQ(found, 1);
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
