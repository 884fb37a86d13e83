#include "store_clock.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "context.h"
#include "controlled_store.h"
#include "entities/forms/question.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"
#include "updates.h"

namespace autoshard::test {
namespace {

using detail::StoreClock;
using moderator::Question;
using namespace std::chrono_literals;

using Moment = std::chrono::steady_clock::time_point;

class StoreClockTest : public StoreTest {
 protected:
  std::unique_ptr<StoreClock> clock() {
    return std::make_unique<StoreClock>(*store_, [this] { return now_; });
  }
  std::uint64_t time() { return StoreClock::read(*store_->begin()).value_or(0); }

  Moment now_{5h};
};
INSTANTIATE_TEST_SUITE_P(Stores, StoreClockTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(StoreClockTest, CountsWhatPassesWhileSomebodyLooks) {
  const auto one = clock();
  EXPECT_EQ(one->advance(), 0u);
  now_ += 7ms;
  EXPECT_EQ(one->advance(), 7u);
  EXPECT_EQ(time(), 7u);
  now_ += 100h;
  const auto other = clock();
  EXPECT_EQ(other->advance(), 7u) << "it has not seen any time pass";
  now_ += 2ms;
  EXPECT_EQ(other->advance(), 9u);
  EXPECT_EQ(one->advance(), 9u) << "nor has this one, since the other wrote";
}

TEST_P(StoreClockTest, AddsAMinuteAtMost) {
  const auto one = clock();
  one->advance();
  now_ += 3h;
  EXPECT_EQ(one->advance(), 60'000u);
}

TEST_P(StoreClockTest, DoesNotCountAnythingTwice) {
  const auto one = clock(), other = clock();
  for (const auto& each : {one.get(), other.get()}) each->advance();
  now_ += 10ms;
  EXPECT_EQ(one->advance(), 10u);
  EXPECT_EQ(other->advance(), 10u);
}

TEST_P(StoreClockTest, IsDueTwiceInAStep) {
  const auto one = clock();
  one->advance_when_due();
  now_ += 29s;
  one->advance_when_due();
  EXPECT_EQ(time(), 0u);
  now_ += 1s;
  one->advance_when_due();
  EXPECT_EQ(time(), 30'000u);
}

TEST_P(StoreClockTest, IsNotDueAfterAnAdvanceThatWasNotDue) {
  FaultyStore faulty(*store_);
  int asked = 0;
  faulty.before_begin([&] { ++asked; });
  StoreClock one(faulty, [this] { return now_; });
  one.advance();
  now_ += 29s;
  one.advance_when_due();
  EXPECT_EQ(asked, 1);
  now_ += 1s;
  one.advance_when_due();
  EXPECT_EQ(asked, 2);
}

TEST_P(StoreClockTest, OnlyOneCallerWaitsForTheStore) {
  ControlledStore controlled(*store_);
  StoreClock one(controlled, [this] { return now_; });
  one.advance();
  now_ += 30s;
  controlled.close();
  std::thread first([&] { one.advance_when_due(); });
  controlled.wait_for_commit(1);
  one.advance_when_due();
  EXPECT_EQ(controlled.commits_so_far(), 1);
  EXPECT_EQ(time(), 0u);
  std::thread second([&] { EXPECT_EQ(one.advance(), 0u) << "the other may have added it"; });
  second.join();
  controlled.open();
  first.join();
  EXPECT_EQ(time(), 30'000u);
  now_ += 30s;
  one.advance_when_due();
  EXPECT_EQ(time(), 60'000u);
}

TEST_P(StoreClockTest, AsksAStoreThatIsAwayTwiceInAStep) {
  FaultyStore faulty(*store_);
  StoreClock one(faulty, [this] { return now_; });
  one.advance();
  now_ += 30s;
  int asked = 0;
  faulty.before_begin([&] {
    ++asked;
    throw StoreUnavailable("away");
  });
  EXPECT_THROW(one.advance_when_due(), StoreUnavailable);
  for (int caller = 0; caller < 3; ++caller) one.advance_when_due();
  EXPECT_EQ(asked, 1);
  now_ += 30s;
  EXPECT_THROW(one.advance_when_due(), StoreUnavailable);
  faulty.before_begin(nullptr);
  one.advance();
  EXPECT_EQ(time(), 60'000u);
}

// Whatever they see of each other, none counts what another has counted.
TEST_P(StoreClockTest, ManyCallersCountNothingTwice) {
  std::atomic<std::int64_t> passed{0};
  StoreClock one(*store_, [&] { return now_ + std::chrono::milliseconds(passed); });
  one.advance();
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        ++passed;
        const std::uint64_t time = one.advance();
        EXPECT_LE(time, static_cast<std::uint64_t>(passed));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_LE(time(), 800u);
  EXPECT_GT(time(), 0u);
}

TEST_P(StoreClockTest, BearsACommitThatFails) {
  FaultyStore faulty(*store_);
  StoreClock one(faulty, [this] { return now_; });
  one.advance();
  for (const Fate fate : {Fate::kConflicts, Fate::kUnknownLost, Fate::kUnknownDone}) {
    const std::uint64_t before = time();
    now_ += 5ms;
    faulty.before_commit([&](int) { return fate; });
    EXPECT_EQ(one.advance(), before);
    EXPECT_EQ(time(), before + (fate == Fate::kUnknownDone ? 5 : 0));
    faulty.before_commit(nullptr);
    now_ += 5ms;
    const std::uint64_t after = time();
    EXPECT_EQ(one.advance(), after) << "it has to look first";
    now_ += 5ms;
    EXPECT_EQ(one.advance(), after + 5);
  }
  faulty.before_commit([](int) { return Fate::kUnknownLate; });
  now_ += 5ms;
  one.advance();
  faulty.before_commit(nullptr);
  const auto other = clock();
  other->advance();
  now_ += 5ms;
  const std::uint64_t after = other->advance();
  EXPECT_EQ(faulty.deliver(), CommitOutcome::kConflict);
  EXPECT_EQ(time(), after);
}

TEST_P(StoreClockTest, TheEndOfALifetimeIsAStepLater) {
  EXPECT_EQ(StoreClock::end(5, 0ms), 60'005u);
  EXPECT_EQ(StoreClock::end(5, 24h), 5u + 86'400'000 + 60'000);
  EXPECT_GT(StoreClock::end(5, std::chrono::milliseconds::max()), std::uint64_t{1} << 40);
  EXPECT_EQ(StoreClock::end(5, std::chrono::milliseconds::min()), 60'005u);
}

TEST_P(StoreClockTest, ATimeThatNoStoreReachesIsRefused) {
  constexpr std::uint64_t kLatest = std::uint64_t{1} << 53;
  const auto write = [&](std::uint64_t time) {
    std::string record;
    StoreClock::encode(record, time);
    const auto transaction = store_->begin();
    transaction->put(detail::store_clock_key(), record);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  };
  write(kLatest);
  EXPECT_EQ(time(), kLatest);
  for (const std::uint64_t later : {kLatest + 1, UINT64_MAX}) {
    write(later);
    EXPECT_THROW(time(), CorruptRecord) << "tokens would end at once";
    EXPECT_THROW(clock()->advance(), CorruptRecord);
  }
}

/// Several mappers look at random times, come and go, and lose commits. The time of the store never gains
/// more than a step on real time, and does not stand still while a mapper looks twice in a step.
TEST_P(StoreClockTest, NeverGainsMoreThanAStepOnRealTime) {
  std::mt19937_64 generator = seeded_generator();
  const Moment begin = now_;
  FaultyStore faulty(*store_);
  std::vector<std::unique_ptr<StoreClock>> clocks(4);
  std::int64_t least_ahead = 0;  // of real time, so far
  for (int i = 0; i < 3'000; ++i) {
    now_ += std::chrono::milliseconds(below(generator, 8) == 0 ? below(generator, 200'000)
                                                               : below(generator, 40));
    auto& chosen = clocks[below(generator, clocks.size())];
    if (!chosen || below(generator, 100) == 0)
      chosen = std::make_unique<StoreClock>(faulty, [this] { return now_; });
    const std::size_t fate = below(generator, 20);
    faulty.before_commit([&](int) {
      if (fate == 0) return Fate::kUnknownLate;
      if (fate == 1) return Fate::kUnknownDone;
      if (fate == 2) now_ += 70s;  // it stands still between its look and its commit
      return Fate::kCommits;
    });
    if (faulty.late() > 0 && fate == 3) faulty.deliver();
    chosen->advance();
    const auto real = std::chrono::duration_cast<std::chrono::milliseconds>(now_ - begin).count();
    const std::int64_t ahead = static_cast<std::int64_t>(time()) - real;
    ASSERT_LE(ahead, least_ahead + StoreClock::kLongestStep.count());
    least_ahead = std::min(least_ahead, ahead);
  }
  faulty.before_commit(nullptr);
  const auto alone = clock();
  alone->advance();
  const std::uint64_t before = time();
  for (int i = 0; i < 10; ++i) {
    now_ += 30s;
    alone->advance();
  }
  EXPECT_EQ(time(), before + 300'000);
}

/// Of two callers, the one that looked at the clock first may get to the store last.
TEST_P(StoreClockTest, ALookAtTheClockThatComesLateTakesNothingBack) {
  const auto one = clock();
  one->advance();
  now_ += 10ms;
  EXPECT_EQ(one->advance(), 10u);
  now_ -= 4ms;
  EXPECT_EQ(one->advance(), 10u);
  now_ += 9ms;
  EXPECT_EQ(one->advance(), 15u) << "what has passed since the latest look";
  EXPECT_EQ(time(), 15u);
}

/// If no maintenance thread runs, updates advance the time. Without it, buckets of windows would never end.
TEST_P(StoreClockTest, UpdatesWithoutATokenAdvanceItOnceBucketsWaitForIt) {
  const MapperOptions options{.combine = false, .compact_every = 0ms};
  Mapper(*store_, options).save(Question{1, "How?", "Phil R"});
  detail::MapperContext context(*store_, options);
  StoreClock one(*store_, [this] { return now_; });
  detail::Updates updates(context, one);
  const detail::EntityKey key = detail::entity_key("Question", 1);
  const Question::Shard vote{.votes_ = 1};
  const auto time_after_two_votes = [&] {
    for (int votes = 0; votes < 2; ++votes) {
      now_ += 30s;
      updates.update(detail::kEntityType<Question>, key, &vote);
    }
    return time();
  };
  EXPECT_EQ(time_after_two_votes(), 0u);
  context.has_buckets = true;
  EXPECT_EQ(time_after_two_votes(), 30'000u) << "the first vote sees the time, and the second adds to it";
}

}  // namespace
}  // namespace autoshard::test
