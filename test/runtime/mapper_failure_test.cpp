// Conflicts, failures half way, and what may or may not have happened.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "keys.h"
#include "mapper_fixture.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using moderator::Question;
using shop::Stock;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using MapperFailure = MapperTest;
INSTANTIATE_TEST_SUITE_P(Stores, MapperFailure, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MapperFailure, SeesASaveThatComesInBetween) {
  mapper_.save(Stock("x"));
  Stock mine = mapper_.load<Stock>("x").value();
  mine.set_price(3);
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      Stock theirs = other_.load<Stock>("x").value();
      theirs.set_price(2);
      other_.save(theirs);
    }
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper_.save(mine), StaleEntity);
  EXPECT_EQ(mapper_.load<Stock>("x").value().price(), 2);
}

TEST_P(MapperFailure, CountsWhatASaveMeets) {
  Mapper mapper(faulty_, {.retry = {.initial_backoff = std::chrono::microseconds(1)}});
  faulty_.before_commit([](int nth) { return nth <= 2 ? Fate::kConflicts : Fate::kCommits; });
  mapper.save(Stock("x"));
  EXPECT_EQ(admin::counters(mapper).conflicts, 2U);
  EXPECT_EQ(admin::counters(mapper).retries, 2U);
  EXPECT_EQ(admin::counters(mapper).commits, 1U);
}

// The main record is saved and the shard is not: what was done is known, what is left can be saved.
TEST_P(MapperFailure, ASaveThatFailedHalfWayCanBeRepeated) {
  for (const Fate fate : {Fate::kCrashes, Fate::kConflicts}) {
    Mapper once(faulty_, {.retry = RetryPolicy::none()});
    once.erase<Stock>("x");
    once.save(Stock("x", 10));
    Stock stock = once.load<Stock>("x").value();
    stock.set_price(2);
    stock.sell(1, "A");
    faulty_.before_commit([&](int nth) { return nth == 2 ? fate : Fate::kCommits; });
    EXPECT_THROW(once.save(stock), Error);
    EXPECT_EQ(once.load<Stock>("x").value().price(), 2);
    EXPECT_EQ(once.load<Stock>("x").value().pieces(), 10);
    once.save(stock);
    once.save(stock);
    EXPECT_EQ(once.load<Stock>("x").value().pieces(), 9);
  }
}

TEST_P(MapperFailure, ASaveThatFailedCanBeRepeated) {
  Mapper once(faulty_, {.retry = RetryPolicy::none()});
  Stock stock("x", 10);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCrashes : Fate::kCommits; });
  EXPECT_THROW(once.save(stock), StoreUnavailable);
  EXPECT_TRUE(records(*store_).empty());
  stock.refill(1);
  once.save(stock);
  EXPECT_EQ(once.load<Stock>("x").value().pieces(), 11);
}

TEST_P(MapperFailure, AnUpdateOfSeveralPropertiesIsWrittenWholeOrNotAtAll) {
  mapper_.save(Flight(1));
  const auto update = [&] {
    mapper_.update<Flight>(1, [](auto& shard) {
      shard.rate(5);
      shard.view();
    });
  };
  int puts = 0;
  faulty_.before_put([&] {
    if (++puts == 2) throw std::bad_alloc();
  });
  EXPECT_THROW(update(), std::bad_alloc);
  EXPECT_EQ(mapper_.load<Flight>(1).value().score(), 0);
  EXPECT_EQ(mapper_.load<Flight>(1).value().views(), 0);
  update();
  EXPECT_EQ(mapper_.load<Flight>(1).value().score(), 5);
  EXPECT_EQ(mapper_.load<Flight>(1).value().views(), 1);
}

TEST_P(MapperFailure, UpdatesOfASavedEntityDoNotGoToTheNextOne) {
  mapper_.save(Stock("x", 10));
  Stock stock = mapper_.load<Stock>("x").value();
  stock.set_price(2);
  stock.sell(1, "A");
  faulty_.before_commit([&](int nth) {
    if (nth == 2) {  // after the main record, before the shard
      other_.erase<Stock>("x");
      other_.save(Stock("x", 50));
    }
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper_.save(stock), NotFound);
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 50);
}

TEST_P(MapperFailure, TriesAgainAfterAConflict) {
  mapper_.save(question(42));
  faulty_.before_commit([](int nth) { return nth <= 5 ? Fate::kConflicts : Fate::kCommits; });
  mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(faulty_.commits(), 6);
  EXPECT_EQ(votes(42), 1);
  EXPECT_EQ(admin::counters(mapper_).conflicts, 5u);
  EXPECT_EQ(admin::counters(mapper_).retries, 5u);
  EXPECT_EQ(admin::counters(mapper_).commits, 2u);
}

TEST_P(MapperFailure, GivesUpWhenThePolicySaysSo) {
  mapper_.save(question(42));
  std::string logged;
  const auto attempts = [&](const RetryPolicy& policy) {
    Mapper mapper(faulty_, {.retry = policy, .log = [&](std::string_view line) { logged = line; }});
    faulty_.before_commit([](int) { return Fate::kConflicts; });
    EXPECT_THAT([&] { mapper.apply<&Question::voteUp>(42); },
                ThrowsMessage<Contention>(AllOf(HasSubstr("Question 42"), HasSubstr("attempts within"))));
    return faulty_.commits();
  };
  using std::chrono::microseconds;
  EXPECT_EQ(attempts(RetryPolicy::none()), 1);
  EXPECT_EQ(attempts({.max_attempts = 4, .max_backoff = microseconds(1)}), 4);
  EXPECT_THAT(logged, HasSubstr("each of 4 attempts"));
  EXPECT_EQ(attempts({.deadline = microseconds(0)}), 1);
  EXPECT_GE(attempts({.deadline = microseconds(2000)}), 1);
  faulty_.before_commit(nullptr);
  EXPECT_EQ(votes(42), 0);
}

TEST_P(MapperFailure, DoesNotRepeatWhatMayHaveHappened) {
  mapper_.save(question(42));
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    faulty_.before_commit([&](int) { return fate; });
    EXPECT_THAT([&] { mapper_.apply<&Question::voteUp>(42); },
                ThrowsMessage<OutcomeUnknown>(HasSubstr("Question 42")));
    EXPECT_EQ(faulty_.commits(), 1);
  }
  EXPECT_EQ(votes(42), 1);
}

TEST_P(MapperFailure, LogsASaveOfWhichItCannotBeTold) {
  std::string logged;
  Mapper mapper(faulty_, {.log = [&](std::string_view line) { logged = line; }});
  faulty_.before_commit([](int) { return Fate::kUnknownDone; });
  EXPECT_THROW(mapper.save(question(42)), OutcomeUnknown);
  EXPECT_THAT(logged, HasSubstr("creating Question 42"));
}

TEST_P(MapperFailure, SaysWhichKeyOfANewEntityIsTooLong) {
  const std::size_t longest = detail::shard_key(detail::entity_key("Flight", 42), "seats", 0).size();
  faulty_.limit_keys(longest - 1);
  EXPECT_THAT([&] { mapper_.save(Flight(42, 100)); },
              ThrowsMessage<KeyTooLong>(HasSubstr("Flight 42 needs a key of " + std::to_string(longest))));
  faulty_.limit_keys(longest);
  mapper_.save(Flight(42, 100));
  EXPECT_EQ(mapper_.load<Flight>(42).value().seats(), 100);
}

class ShardChoiceTest : public MapperTest {
 protected:
  std::size_t shards() { return records(*store_).size() - 1; }
};
INSTANTIATE_TEST_SUITE_P(Stores, ShardChoiceTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ShardChoiceTest, KeepsToAShardUntilItConflicts) {
  mapper_.save(question(42));
  for (int i = 0; i < 50; ++i) mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(shards(), 1u);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kConflicts : Fate::kCommits; });
  for (int i = 0; i < 50; ++i) mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(shards(), 2u);
  EXPECT_EQ(votes(42), 100);
}

TEST_P(ShardChoiceTest, OrTakesAnyEveryTime) {
  Mapper mapper(*store_, {.choice = ShardChoice::kRandom});
  mapper.save(question(42));
  for (int i = 0; i < 500; ++i) mapper.apply<&Question::voteUp>(42);
  EXPECT_EQ(shards(), 10u);  // missing one of ten has a probability of 1e-22
  EXPECT_EQ(votes(42), 500);
}

// While a server is away, the thread that compacts meets that with each entity, again and again.
TEST_P(MapperFailure, AnOutageIsLoggedOnce) {
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<bool> is_away{false};  // for the thread of the mapper
  std::atomic<int> refusals{0};
  std::mutex mutex;
  std::vector<std::string> lines;
  FaultyStore unavailable(*store_);
  unavailable.before_begin([&] {
    if (!is_away || std::this_thread::get_id() == own) return;
    ++refusals;
    throw StoreUnavailable("the server is away");
  });
  Mapper mapper(unavailable, {.compact_every = std::chrono::milliseconds(1),
                              .adaptive = {.window = std::chrono::milliseconds(0)},
                              .log = [&](std::string_view line) {
                                const std::lock_guard lock(mutex);
                                lines.emplace_back(line);
                              }});
  constexpr int kFlights = 20;
  const auto leave_deltas = [&] {
    for (int number = 0; number < kFlights; ++number) mapper.apply<&Flight::like>(number);
  };
  const auto wait_for_compaction = [&] {
    const auto is_delta = [](const auto& record) {
      return record.first.find(std::string("likes\0\1\xFF\xFF", 9)) != std::string::npos;
    };
    while (std::ranges::any_of(records(*store_), is_delta)) std::this_thread::yield();
  };
  for (int number = 0; number < kFlights; ++number) mapper.save(Flight(number));
  for (std::size_t outage = 1; outage <= 2; ++outage) {
    is_away = true;
    refusals = 0;
    leave_deltas();
    while (refusals < 100) std::this_thread::yield();
    {
      const std::lock_guard lock(mutex);
      ASSERT_EQ(lines.size(), outage) << lines.back();
      EXPECT_THAT(lines.back(), HasSubstr("the server is away"));
    }
    is_away = false;
    wait_for_compaction();
    leave_deltas();  // which another round compacts: the one before has ended then
    wait_for_compaction();
  }
}

}  // namespace
}  // namespace autoshard::test
