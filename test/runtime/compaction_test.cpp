#include "compaction.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "compactable_entities.h"
#include "context.h"
#include "entities/strategies/flight.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using detail::entity_key;
using namespace std::chrono_literals;

class CompactionTest : public StoreTest {
 protected:
  static MapperOptions options() {
    return {.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}};
  }

  std::int64_t likes(int flight) { return mapper_.load<Flight>(flight).value().likes(); }

  Mapper mapper_{*store_, options()};
};
INSTANTIATE_TEST_SUITE_P(Stores, CompactionTest, ::testing::ValuesIn(all_stores()), store_name);

TEST(CompactableEntitiesTest, AreSoManyAtMost) {
  detail::CompactableEntities entities;
  for (std::size_t i = 0; i <= detail::CompactableEntities::kMost; ++i)
    entities.note(detail::kEntityType<Flight>, entity_key("Flight", static_cast<int>(i)));
  EXPECT_EQ(entities.take().size(), detail::CompactableEntities::kMost);
  EXPECT_TRUE(entities.take().empty());
}

/// Of what one entity has, as long as it may.
TEST_P(CompactionTest, AsksBeforeEachBatchWhetherItGoesOn) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 1000; ++i) mapper_.apply<&Flight::like>(1);
  detail::MapperContext context(*store_, options());
  int asked = 0, allowed = 2;
  const auto compact = [&] {
    asked = 0;
    return detail::compact(context, detail::kEntityType<Flight>, entity_key("Flight", 1),
                           [&] { return ++asked <= allowed; });
  };
  const std::uint64_t removed = compact();
  EXPECT_EQ(asked, 3);
  EXPECT_GT(removed, 0u);
  EXPECT_LT(removed, 1000u);
  EXPECT_EQ(likes(1), 1000);
  allowed = 0;
  EXPECT_EQ(compact(), 0u);
  allowed = 1000;
  EXPECT_EQ(compact(), 1000 - removed);
  EXPECT_EQ(likes(1), 1000);
}

TEST_P(CompactionTest, ARecordOfSomethingElseStays) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  std::string foreign = detail::shard_key(entity_key("Flight", 1), "likes", 0).bytes();
  foreign.pop_back();  // too short for a shard, among those that are looked at
  const auto transaction = store_->begin();
  transaction->put(foreign, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 3u);
  EXPECT_EQ(likes(1), 3);
  std::string value;
  EXPECT_TRUE(store_->snapshot()->get(foreign, value));
}

/// It is looked through a few thousand records at a time.
TEST_P(CompactionTest, OfAKindFindsWhatLiesBehindMuchThatIsCompact) {
  std::vector<Flight> flights;
  for (int number = 1; number <= 600; ++number) flights.emplace_back(number, 8);
  mapper_.save(flights);
  ASSERT_GT(records(*store_).size(), 5'000u);
  for (const int number : {1, 300, 600}) mapper_.apply<&Flight::like>(number);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 3u);
  for (const int number : {1, 300, 600}) EXPECT_EQ(likes(number), 1);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 0u);
}

/// What was cut short of that erase is for the next one to complete.
TEST_P(CompactionTest, AnEntityThatIsErasedMeanwhileIsLeftAlone) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  const auto erase_and_crash = [&] {
    FaultyStore crashing(*store_);
    crashing.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
    EXPECT_TRUE(Mapper(crashing, options()).erase<Flight>(1));
  };
  FaultyStore faulty(*store_);
  detail::MapperContext context(faulty, options());
  int looks = 0;
  faulty.before_begin([&] {
    if (++looks == 2) erase_and_crash();  // it was no tombstone at the first look
  });
  const detail::EntityKey key = entity_key("Flight", 1);
  const auto compact = [&] { return detail::compact(context, detail::kEntityType<Flight>, key); };
  EXPECT_EQ(compact(), 0u);
  EXPECT_FALSE(mapper_.exists<Flight>(1));
  EXPECT_GT(records(*store_, key).size(), 3u);
  EXPECT_GT(compact(), 3u);
  EXPECT_TRUE(records(*store_, key).empty());
}

}  // namespace
}  // namespace autoshard::test
