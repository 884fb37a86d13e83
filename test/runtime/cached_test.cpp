#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "entities/strategies/flight.autoshard.h"
#include "entity_literal.h"
#include "keys.h"
#include "read_cache.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using namespace std::chrono_literals;

constexpr cached kHour{1h};

class CachedTest : public StoreTest {
 protected:
  int views(Mapper& mapper) { return mapper.load<Flight>(1, kHour).value().views(); }

  Mapper mapper_{*store_};
  Mapper other_{*store_};
};

TEST_P(CachedTest, ALoadIsRepeatedOnlyWhenItIsTooOld) {
  mapper_.save(Flight(1));
  EXPECT_EQ(views(mapper_), 0);
  other_.apply<&Flight::view>(1);
  EXPECT_EQ(views(mapper_), 0) << "somebody else's update is seen later";
  EXPECT_EQ(mapper_.load<Flight>(1, cached{0s}).value().views(), 1);
  EXPECT_EQ(views(mapper_), 1) << "that was kept";
  EXPECT_EQ(mapper_.load<Flight>(1).value().views(), 1);
}

TEST_P(CachedTest, EveryChangeOfThisMapperIsSeen) {
  mapper_.save(Flight(1));
  EXPECT_EQ(views(mapper_), 0);
  mapper_.apply<&Flight::view>(1);
  EXPECT_EQ(views(mapper_), 1);
  mapper_.apply_async<&Flight::view>(1).get();
  EXPECT_EQ(views(mapper_), 2);
  mapper_.transact([](EntityTransaction& transaction) {
    Flight flight = transaction.load<Flight>(1).value();
    flight.set_to("Oslo");
    transaction.save(flight);
  });
  EXPECT_EQ(mapper_.load<Flight>(1, kHour).value().to(), "Oslo");
  Flight flight = mapper_.load<Flight>(1, kHour).value();
  flight.view();
  flight.set_to("Rome");
  mapper_.save(flight);
  EXPECT_EQ(views(mapper_), 3);
  EXPECT_EQ(mapper_.load<Flight>(1, kHour).value().to(), "Rome");
  EXPECT_TRUE(mapper_.erase<Flight>(1));
  EXPECT_FALSE((mapper_.load<Flight>(1, kHour)));
  mapper_.save(Flight(1));
  EXPECT_EQ(views(mapper_), 0);
}

TEST_P(CachedTest, AChangeWhoseOutcomeIsUnknownIsSeen) {
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, {.compact_every = 0ms});
  mapper.save(Flight(1));
  const auto expect_seen = [&](const char* to, const std::function<void(Flight & flight)>& change) {
    Flight flight = mapper.load<Flight>(1, kHour).value();
    flight.set_to(to);
    faulty.before_commit([&](int) { return Fate::kUnknownDone; });
    EXPECT_THROW(change(flight), OutcomeUnknown);
    faulty.before_commit(nullptr);
    EXPECT_EQ(mapper.load<Flight>(1, kHour).value().to(), to);
  };
  expect_seen("Oslo", [&](Flight& flight) { mapper.save(flight); });
  expect_seen("Rome", [&](Flight& flight) {
    mapper.transact([&](EntityTransaction& transaction) { transaction.save(flight); });
  });
}

TEST_P(CachedTest, AnEntityThatThisMapperCreatesIsSeenInThePlaceOfTheOneBefore) {
  for (const bool transacts : {false, true}) {
    mapper_.save(Flight(1));
    mapper_.apply<&Flight::view>(1);
    EXPECT_EQ(views(mapper_), 1);
    other_.erase<Flight>(1);
    EXPECT_EQ(views(mapper_), 1);
    if (transacts) {
      mapper_.transact([](EntityTransaction& transaction) { transaction.save(Flight(1)); });
    } else {
      mapper_.save(Flight(1));
    }
    EXPECT_EQ(views(mapper_), 0);
    EXPECT_TRUE(mapper_.erase<Flight>(1));
  }
}

TEST_P(CachedTest, WhatIsAcknowledgedButNotYetCommittedIsSeen) {
  Mapper buffered(*store_, {.durability = durability::buffered{1h}});
  buffered.save(Flight(1));
  EXPECT_EQ(views(buffered), 0);
  buffered.apply<&Flight::view>(1);
  EXPECT_EQ(views(buffered), 1);
}

TEST_P(CachedTest, NoThreadMissesItsOwnUpdates) {
  mapper_.save(Flight(1));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const int before = views(mapper_);
        mapper_.apply<&Flight::view>(1);
        ASSERT_GT(views(mapper_), before);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(views(mapper_), 1200);
}

INSTANTIATE_TEST_SUITE_P(Stores, CachedTest, ::testing::ValuesIn(stores_for_threads()), store_name);

constexpr const detail::EntityType& kFlight = detail::kEntityType<Flight>;

TEST(ReadCache, KeepsNothingThatWasChangedWhileItWasLoaded) {
  detail::ReadCache cache;
  const auto began = detail::ReadCache::Clock::now();
  const auto is_kept = [&] { return cache.read(kFlight, "key"_entity, began) != nullptr; };
  cache.begin_load("key"_entity);
  cache.drop("key"_entity);
  cache.end_load(kFlight, "key"_entity, began, std::make_shared<int>(1));
  EXPECT_FALSE(is_kept());
  cache.begin_load("key"_entity);
  cache.drop("other key"_entity);
  cache.end_load(kFlight, "key"_entity, began, std::make_shared<int>(1));
  EXPECT_TRUE(is_kept());
  cache.begin_load("key"_entity);
  cache.drop("key"_entity);
  cache.begin_load("key"_entity);
  cache.end_load(kFlight, "key"_entity, began, std::make_shared<int>(1));
  cache.end_load(kFlight, "key"_entity, began, std::make_shared<int>(1));
  EXPECT_FALSE(is_kept()) << "the second began when the first was still under way";
}

/// The store is one number without any fence of its own, so that only the cache keeps in order what a change
/// writes and then looks for.
TEST(ReadCache, AChangeMissesNoLoadThatHasNotSeenIt) {
  constexpr int kRounds = 100'000;
  detail::ReadCache cache;
  const auto began = detail::ReadCache::Clock::now();
  std::atomic<int> stored{0}, begun{0}, ended{0};
  const auto wait_for = [](const std::atomic<int>& round, int number) {
    for (int spins = 0; round.load() < number; ++spins) {
      if (spins > 1'000) std::this_thread::yield();
    }
  };
  std::thread writer([&] {
    for (int round = 1; round <= kRounds; ++round) {
      wait_for(begun, round);
      for (volatile int late = round % 128; late > 0;) late = late - 1;
      stored.store(round, std::memory_order_release);
      cache.drop("key"_entity);
      ended.store(round);
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    begun.store(round);
    cache.begin_load("key"_entity);
    cache.end_load(kFlight, "key"_entity, began,
                   std::make_shared<int>(stored.load(std::memory_order_acquire)));
    wait_for(ended, round);
    if (const auto kept = cache.read(kFlight, "key"_entity, began)) {
      EXPECT_EQ(*static_cast<const int*>(kept.get()), round);
    }
    cache.drop("key"_entity);
  }
  writer.join();
}

TEST(ReadCache, GivesAnObjectOfItsOwnClassOnly) {
  detail::ReadCache cache;
  const auto began = detail::ReadCache::Clock::now();
  cache.begin_load("key"_entity);
  cache.end_load(kFlight, "key"_entity, began, std::make_shared<Flight>(1));
  EXPECT_TRUE(cache.read(kFlight, "key"_entity, began));
  const detail::EntityType another = kFlight;
  EXPECT_FALSE(cache.read(another, "key"_entity, began));
  cache.begin_load("key"_entity);
  cache.end_load(another, "key"_entity, began + 1ns, std::make_shared<int>(1));
  EXPECT_TRUE(cache.read(another, "key"_entity, began));
  EXPECT_FALSE(cache.read(kFlight, "key"_entity, began));
}

TEST(ReadCache, KeepsABoundedNumber) {
  detail::ReadCache cache;
  const auto began = detail::ReadCache::Clock::now();
  const std::size_t entities = 2 * detail::ReadCache::kMost;
  for (std::size_t i = 0; i < entities; ++i) {
    const detail::EntityKey key(std::to_string(i));
    cache.begin_load(key);
    cache.end_load(kFlight, key, began, std::make_shared<int>(1));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entities; ++i)
    kept += cache.read(kFlight, detail::EntityKey(std::to_string(i)), began) != nullptr;
  EXPECT_LE(kept, detail::ReadCache::kMost);
  EXPECT_GE(kept, detail::ReadCache::kMost / 2);
}

TEST(ReadCache, WhatIsOldMakesRoom) {
  detail::ReadCache cache;
  const auto began = detail::ReadCache::Clock::now();
  const auto load = [&](std::string_view name, auto at, std::shared_ptr<const void> entity) {
    const detail::EntityKeyView key(name);
    cache.begin_load(key);
    cache.end_load(kFlight, key, at, std::move(entity));
  };
  const std::size_t entities = 2 * detail::ReadCache::kMost;
  for (std::size_t i = 0; i < entities; ++i) load(std::to_string(i), began, std::make_shared<int>(1));
  constexpr std::size_t kHot = 1'000;
  for (std::size_t i = 0; i < kHot; ++i)
    load("hot " + std::to_string(i), began + 1s, std::make_shared<int>(1));
  const auto hits = [&] {
    std::size_t found = 0;
    for (std::size_t i = 0; i < kHot; ++i)
      found += cache.read(kFlight, detail::EntityKey("hot " + std::to_string(i)), began + 1s) != nullptr;
    return found;
  };
  EXPECT_GE(hits(), kHot - 10);
  const auto count = [&] {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entities; ++i)
      kept += cache.read(kFlight, detail::EntityKey(std::to_string(i)), began) != nullptr;
    return kept;
  };
  const std::size_t before = count();
  for (std::size_t i = 0; i < kHot; ++i) load("absent " + std::to_string(i), began + 1s, nullptr);
  EXPECT_EQ(count(), before) << "what does not exist needs no room";
}

}  // namespace
}  // namespace autoshard::test
