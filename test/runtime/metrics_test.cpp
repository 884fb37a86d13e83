#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

const MapperOptions kNoThreads{.compact_every = 0ms, .adaptive = {.window = 0ms}};

class MetricsTest : public StoreTest {
 protected:
  Metrics metrics() const { return admin::metrics(mapper_); }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, kNoThreads};
};

INSTANTIATE_TEST_SUITE_P(Stores, MetricsTest, testing::ValuesIn(all_stores()), store_name);

TEST_P(MetricsTest, CountSavesUpdatesAndTheirCommits) {
  EXPECT_EQ(metrics().commits, 0u);
  mapper_.save(Flight(1));
  EXPECT_EQ(metrics().saves, 0u) << "it is new";
  Flight flight = mapper_.load<Flight>(1).value();
  flight.set_to("Oslo");
  mapper_.save(flight);
  EXPECT_EQ(metrics().saves, 1u);
  for (int i = 0; i < 5; ++i) mapper_.apply<&Flight::like>(1);
  const Metrics now = metrics();
  EXPECT_EQ(now.updates, 5u);
  EXPECT_EQ(now.commits, 7u);
  EXPECT_EQ(now.commit_seconds.count(), 7u);
  EXPECT_GE(now.commit_seconds.sum, 0);
  EXPECT_EQ(now.batch_updates.counts.front(), 5u) << "each alone";
  EXPECT_EQ(now.batch_updates.sum, 5);
  EXPECT_EQ(now.conflicts, 0u);
}

TEST_P(MetricsTest, CountUpdatesThatAreCommittedTogether) {
  mapper_.save(Flight(1));
  MapperOptions options = kNoThreads;
  options.durability = durability::buffered{.within = 1h};
  Mapper buffering(faulty_, options);
  for (int i = 0; i < 10; ++i) buffering.apply<&Flight::like>(1);
  EXPECT_EQ(admin::metrics(buffering).updates_in_flight, 10u);
  EXPECT_EQ(admin::metrics(buffering).updates, 0u);
  buffering.flush();
  const Metrics now = admin::metrics(buffering);
  EXPECT_EQ(now.updates_in_flight, 0u);
  EXPECT_EQ(now.updates, 10u);
  EXPECT_EQ(now.batch_updates.sum, 10);
  EXPECT_EQ(now.batch_updates.count(), 1u);
}

TEST_P(MetricsTest, CountConflictsRetriesAndCallsThatGaveUp) {
  mapper_.save(Flight(1));
  faulty_.before_commit([](int nth) { return nth <= 2 ? Fate::kConflicts : Fate::kCommits; });
  mapper_.apply<&Flight::like>(1);
  EXPECT_EQ(metrics().conflicts, 2u);
  EXPECT_EQ(metrics().retries, 2u);
  EXPECT_EQ(metrics().updates, 1u);

  MapperOptions options = kNoThreads;
  options.retry = {.max_attempts = 1};
  Mapper impatient(faulty_, options);
  faulty_.before_commit([](int) { return Fate::kConflicts; });
  EXPECT_THROW(impatient.apply<&Flight::like>(1), Contention);
  EXPECT_EQ(admin::metrics(impatient).contentions, 1u);
  EXPECT_EQ(admin::metrics(impatient).updates, 0u);
}

TEST_P(MetricsTest, CountUnknownOutcomesAndLostUpdates) {
  mapper_.save(Flight(1));
  faulty_.before_commit([](int) { return Fate::kUnknownLost; });
  EXPECT_THROW(mapper_.apply<&Flight::like>(1), OutcomeUnknown);
  EXPECT_EQ(metrics().unknown_outcomes, 1u);

  MapperOptions options = kNoThreads;
  options.durability = durability::buffered{.within = 1h};
  options.retry = {.max_attempts = 1};
  Mapper buffering(faulty_, options);
  buffering.apply<&Flight::like>(1);
  EXPECT_THROW(buffering.flush(), UpdatesLost);
  EXPECT_EQ(admin::metrics(buffering).unknown_updates, 1u);
  faulty_.before_commit([](int) { return Fate::kConflicts; });
  buffering.apply<&Flight::like>(1);
  EXPECT_THROW(buffering.flush(), UpdatesLost);
  EXPECT_EQ(admin::metrics(buffering).lost_updates, 1u);
  faulty_.before_commit(nullptr);
}

TEST_P(MetricsTest, CountCachedLoads) {
  mapper_.save(Flight(1));
  mapper_.load<Flight>(1, cached(1h));
  mapper_.load<Flight>(1, cached(1h));
  mapper_.load<Flight>(1, cached(1h));
  EXPECT_EQ(metrics().cache_misses, 1u);
  EXPECT_EQ(metrics().cache_hits, 2u);
  EXPECT_EQ(metrics().shared_cache_misses, 0u);
}

TEST_P(MetricsTest, CountLoadsFromASharedCache) {
  MemoryCache cache(1'000'000);
  MapperOptions options = kNoThreads;
  options.cache = &cache;
  Mapper mapper(faulty_, options);
  mapper_.save(Flight(1));
  const cached how(1h, cached::where::shared);
  mapper.load<Flight>(1, how);
  EXPECT_EQ(admin::metrics(mapper).shared_cache_misses, 1u);
  EXPECT_EQ(admin::metrics(mapper).shared_cache_hits, 0u);
  Mapper other(faulty_, options);
  other.load<Flight>(1, how);
  EXPECT_EQ(admin::metrics(other).shared_cache_hits, 1u);
}

TEST_P(MetricsTest, CountCompactions) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 5; ++i) mapper_.apply<&Flight::view>(1);
  admin::set_shards<Flight>(mapper_, 1, "score", 8);
  EXPECT_EQ(metrics().shard_increases, 1u);
  admin::set_shards<Flight>(mapper_, 1, "score", 1);
  EXPECT_EQ(metrics().shard_decreases, 1u);
  const std::uint64_t before = metrics().compactions;
  admin::compact<Flight>(mapper_, 1);
  EXPECT_EQ(metrics().compactions, before + 1);
}

TEST_P(MetricsTest, TellTheEntitiesThatWaitForCompaction) {
  mapper_.save(Flight(1));
  EXPECT_EQ(metrics().compactable_entities, 0u);
  EXPECT_EQ(metrics().compaction_lag_seconds, 0);
  for (int i = 0; i < 40; ++i) mapper_.apply<&Flight::like>(1);  // each is a record of its own
  mapper_.load<Flight>(1);
  EXPECT_EQ(metrics().compactable_entities, 1u);
  EXPECT_GT(metrics().compaction_lag_seconds, 0);
}

TEST(Histogram, HasRangesThatTouch) {
  MemoryStore store;
  Mapper mapper(store, kNoThreads);
  const Histogram seconds = admin::metrics(mapper).commit_seconds;
  ASSERT_EQ(seconds.counts.size(), seconds.bounds.size() + 1);
  EXPECT_DOUBLE_EQ(seconds.bounds.front(), 16e-6);
  EXPECT_NEAR(seconds.bounds.back(), 16.8, 0.1);
  const Histogram updates = admin::metrics(mapper).batch_updates;
  EXPECT_EQ(updates.bounds.front(), 1);
  EXPECT_EQ(updates.bounds.back(), 16'384);
}

class ActivityTest : public MetricsTest {
 protected:
  const PropertyActivity* find(const std::vector<PropertyActivity>& all, const std::string& property) {
    const auto found = std::ranges::find(all, property, &PropertyActivity::property);
    return found == all.end() ? nullptr : &*found;
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, ActivityTest, testing::ValuesIn(all_stores()), store_name);

TEST_P(ActivityTest, IsThatOfAllShardedPropertiesAndOfMainRecords) {
  ActivityObserver observer(mapper_);
  mapper_.save(Flight(1));
  for (int i = 0; i < 6; ++i) mapper_.apply<&Flight::view>(1);
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::rate>(1, 5);
  mapper_.apply<&Flight::like>(1);
  Flight flight = mapper_.load<Flight>(1).value();
  flight.set_to("Oslo");
  mapper_.save(flight);
  const ActivityInterval interval = observer.next();
  const double seconds = interval.length.count();
  const PropertyActivity* views = find(interval.properties, "views");
  ASSERT_TRUE(views);
  EXPECT_EQ(views->entity, "Flight 1");
  EXPECT_TRUE(views->is_sharded && views->is_adaptive);
  EXPECT_EQ(views->shards, 1u);
  EXPECT_EQ(views->most, 16u);
  EXPECT_NEAR(views->updates * seconds, 6, 1e-6);
  EXPECT_NEAR(views->commits * seconds, 6, 1e-6);
  EXPECT_EQ(views->conflicts, 0);
  EXPECT_GE(views->waiting, 0);
  const PropertyActivity* score = find(interval.properties, "score");
  ASSERT_TRUE(score);
  EXPECT_TRUE(score->is_sharded && !score->is_adaptive);
  EXPECT_EQ(score->shards, 4u);
  EXPECT_NEAR(score->updates * seconds, 3, 1e-6);
  const PropertyActivity* likes = find(interval.properties, "likes");
  ASSERT_TRUE(likes);
  EXPECT_TRUE(likes->is_sharded);
  EXPECT_EQ(likes->shards, 0u) << "each is a record of its own";
  const PropertyActivity* record = find(interval.properties, "");
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->is_sharded);
  EXPECT_NEAR(record->updates * seconds, 1, 1e-6);
  EXPECT_THAT(observer.next().properties, IsEmpty()) << "each activity is told once";
}

TEST_P(ActivityTest, IsTheHottestFirst) {
  ActivityObserver observer(mapper_);
  for (const int flight : {1, 2}) mapper_.save(Flight(flight));
  for (int i = 0; i < 9; ++i) mapper_.apply<&Flight::view>(2);
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::view>(1);
  const ActivityInterval interval = observer.next();
  EXPECT_EQ(interval.properties[0].entity, "Flight 2");
  EXPECT_EQ(interval.properties[1].entity, "Flight 1");
}

TEST_P(ActivityTest, TellsTheTimeInCommits) {
  ActivityObserver observer(mapper_);
  mapper_.save(Flight(1));
  faulty_.before_commit([](int) {
    const auto until = std::chrono::steady_clock::now() + 2ms;
    while (std::chrono::steady_clock::now() < until) {
    }
    return Fate::kCommits;
  });
  for (int i = 0; i < 5; ++i) mapper_.apply<&Flight::view>(1);
  const ActivityInterval interval = observer.next();
  EXPECT_GE(find(interval.properties, "views")->waiting * interval.length.count(), 0.010);
  EXPECT_GE(metrics().commit_seconds.sum, 0.010);
}

TEST_P(ActivityTest, TakesNothingFromTheAdaptiveRules) {
  mapper_.save(Flight(1));
  ActivityObserver observer(mapper_);
  auto now = std::chrono::steady_clock::now();
  std::vector<ShardChange> changes;
  const auto window = [&] {
    for (int i = 0; i < 20; ++i) {
      faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kConflicts : Fate::kCommits; });
      mapper_.apply<&Flight::view>(1);
    }
    faulty_.before_commit(nullptr);
    for (const ShardChange& change : observer.next().changes) changes.push_back(change);
    admin::adapt(mapper_, now += 1s);
  };
  window();
  window();
  window();
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), 2u);
  EXPECT_THAT(changes, ElementsAre(testing::AllOf(Field(&ShardChange::entity, "Flight 1"),
                                                  Field(&ShardChange::property, "views"),
                                                  Field(&ShardChange::from, 1u), Field(&ShardChange::to, 2u),
                                                  Field(&ShardChange::why, "updates meet conflicts"))));
}

TEST_P(ActivityTest, HasTheChangesOfOperators) {
  mapper_.save(Flight(1));
  admin::set_shards<Flight>(mapper_, 1, "score", 8);
  ActivityObserver observer(mapper_);
  admin::set_shards<Flight>(mapper_, 1, "score", 2);
  const std::vector<ShardChange> changes = observer.next().changes;
  ASSERT_EQ(changes.size(), 1u) << "those before are not observed";
  EXPECT_EQ(changes[0].from, 8u);
  EXPECT_EQ(changes[0].to, 2u);
  EXPECT_EQ(changes[0].why, "an operator has set it");
}

TEST_P(ActivityTest, NamesThePropertiesOfSavesInConflict) {
  mapper_.save(Flight(1));
  ActivityObserver observer(mapper_);
  Mapper other(faulty_, kNoThreads);
  for (int i = 0; i < 2; ++i) {
    Flight mine = mapper_.load<Flight>(1).value(), theirs = other.load<Flight>(1).value();
    theirs.set_to("B" + std::to_string(i));
    mine.set_to("A" + std::to_string(i));
    other.save(theirs);
    EXPECT_THROW(mapper_.save(mine), StaleEntity);
  }
  const ActivityInterval interval = observer.next();
  const PropertyActivity* to = find(interval.properties, "to");
  ASSERT_TRUE(to);
  EXPECT_FALSE(to->is_sharded);
  EXPECT_GT(to->conflicts, 0);
  EXPECT_GT(find(interval.properties, "")->conflicts, 0);
}

TEST_P(ActivityTest, HasOneObserver) {
  {
    ActivityObserver observer(mapper_);
    EXPECT_THROW(ActivityObserver second(mapper_), InvalidUse);
    mapper_.save(Flight(1));
  }
  ActivityObserver next(mapper_);
  EXPECT_THAT(next.next().properties, IsEmpty()) << "it begins anew";
}

}  // namespace
}  // namespace autoshard::test
