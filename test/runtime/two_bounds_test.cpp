// Bounded properties that are not the first sharded one, and two of them in one update.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "entities/versions/crossing/crossing.autoshard.h"
#include "entities/versions/crossing/earlier.autoshard.h"
#include "keys.h"
#include "marked_writer.h"
#include "shard_writer.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using detail::Request;
using ferry::Crossing;

class TwoBoundsTest : public StoreTest {
 protected:
  TwoBoundsTest() { mapper_.save(Crossing(1)); }

  void board(int cars, int people) {
    mapper_.update<Crossing>(1, [&](auto& crossing) { crossing.board(cars, people); });
  }
  void expect(int cars, int people) {
    const Crossing crossing = mapper_.load<Crossing>(1).value();
    EXPECT_EQ(crossing.cars(), cars);
    EXPECT_EQ(crossing.people(), people);
  }
  void commit_together(std::vector<Request*> updates) {
    const MapperOptions options;
    detail::MapperContext context(*store_, options);
    detail::AffinityNumber affinity = 0;
    detail::ShardWriter(context, affinity).commit(updates);
  }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, TwoBoundsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(TwoBoundsTest, EachKeepsToItsOwn) {
  board(0, 100);
  expect(0, 100);
  EXPECT_THROW(board(0, 1), BoundExceeded);
  board(10, 0);
  expect(10, 100);
  EXPECT_THROW(board(1, 0), BoundExceeded);
  board(-10, -100);
  expect(0, 0);
}

TEST_P(TwoBoundsTest, AnUpdateThatOneOfThemRefusesChangesNeither) {
  board(8, 50);
  EXPECT_THROW(board(3, 10), BoundExceeded);
  EXPECT_THROW(board(1, 60), BoundExceeded);
  expect(8, 50);
  board(2, 50);
  expect(10, 100);
}

// No shard has room for the people of the second update: they are counted in all shards, and the first update
// is tried again, too.
TEST_P(TwoBoundsTest, OfUpdatesThatAreTriedTogetherEachKeepsToBoth) {
  board(7, 80);
  const detail::EntityKey key = detail::entity_key("Crossing", 1);
  const Crossing::Shard too_many_cars{.cars_ = 4}, many_people{.people_ = 20}, one_more{.people_ = 1};
  const auto& type = detail::kEntityType<Crossing>;
  Request first(type, key, &too_many_cars), second(type, key, &many_people), third(type, key, &one_more);
  commit_together({&first, &second, &third});
  EXPECT_THROW(std::rethrow_exception(first.error), BoundExceeded);
  EXPECT_EQ(second.result, Request::Result::kCommitted);
  EXPECT_THROW(std::rethrow_exception(third.error), BoundExceeded);
  expect(7, 100);
}

// Here, too, the first is tried again. What it took before must not count twice.
TEST_P(TwoBoundsTest, AnUpdateThatIsTriedAgainCountsOnce) {
  board(7, 80);
  const detail::EntityKey key = detail::entity_key("Crossing", 1);
  const Crossing::Shard all_cars{.cars_ = 3}, many_people{.people_ = 20};
  const auto& type = detail::kEntityType<Crossing>;
  Request first(type, key, &all_cars), second(type, key, &many_people);
  commit_together({&first, &second});
  EXPECT_EQ(first.result, Request::Result::kCommitted);
  EXPECT_EQ(second.result, Request::Result::kCommitted);
  expect(10, 100);
}

TEST_P(TwoBoundsTest, WhatAnEarlierClassStoredCounts) {
  Mapper(*store_, {.compact_every = std::chrono::milliseconds(0)}).save(ferry::EarlierCrossing(2, 7));
  const auto board = [&](int cars) {
    mapper_.update<Crossing>(2, [&](auto& crossing) { crossing.board(cars, 0); });
  };
  EXPECT_THROW(board(4), BoundExceeded);
  EXPECT_THROW(board(-8), BoundExceeded);
  board(3);
  EXPECT_EQ(mapper_.load<Crossing>(2).value().cars(), 10);
  board(-10);
  EXPECT_EQ(mapper_.load<Crossing>(2).value().cars(), 0);
}

TEST_P(TwoBoundsTest, ThePropertyBesideThemHasNone) {
  for (int i = 0; i < 20; ++i) mapper_.update<Crossing>(1, [](auto& crossing) { crossing.view(); });
  EXPECT_EQ(mapper_.load<Crossing>(1).value().views(), 20);
  expect(0, 0);
}

}  // namespace
}  // namespace autoshard::test
