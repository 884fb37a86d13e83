#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "controlled_store.h"
#include "entities/strategies/flight.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using detail::entity_key;
using namespace std::chrono_literals;

class StrategiesTest : public StoreTest {
 protected:
  std::size_t records_of(int flight, const std::string& property) {
    const detail::EntityKey key = entity_key("Flight", flight);
    std::size_t number = 0;
    for (const auto& [record, value] : records(*store_, key)) {
      const auto shard = detail::read_shard_key(key, record);
      number += shard && shard->property == property;
    }
    return number;
  }
  Flight load(int flight) { return mapper_.load<Flight>(flight).value(); }

  Mapper mapper_{*store_, {.compact_every = 0ms, .adaptive = {.window = 0ms}}};
  Mapper random_{
      *store_,
      {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}}};
};

TEST_P(StrategiesTest, DynamicWritesANewRecordForEachUpdateAndCompactionFoldsThem) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 600; ++i) random_.apply<&Flight::like>(1);
  EXPECT_EQ(records_of(1, "likes"), 600u);
  EXPECT_EQ(load(1).likes(), 600);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 600u);
  EXPECT_EQ(records_of(1, "likes"), 1u);
  EXPECT_EQ(load(1).likes(), 600);
  random_.apply<&Flight::like>(1);
  EXPECT_EQ(load(1).likes(), 601);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 1u);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 0u);
  EXPECT_EQ(load(1).likes(), 601);
}

TEST_P(StrategiesTest, CompactionOfAllFindsWhatThereIs) {
  for (int flight = -3; flight < 3; ++flight) {
    mapper_.save(Flight(flight));
    for (int i = 0; i < 4; ++i) random_.apply<&Flight::like>(flight);
  }
  mapper_.erase<Flight>(-1);
  EXPECT_EQ(admin::compact(mapper_), 20u);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 0u);
  for (int flight = -3; flight < 3; ++flight) {
    if (flight != -1) {
      EXPECT_EQ(load(flight).likes(), 4);
    }
  }
  EXPECT_EQ(admin::compact<Flight>(mapper_, 99), 0u) << "no such entity";
}

// What the bounds did not seem to allow was outdated, and so is what was to be told of it.
TEST_P(StrategiesTest, AnUpdateThatIsWithinBoundsAfterAConflictSucceeds) {
  ControlledStore store_control(*store_);
  Mapper mapper(store_control, {.compact_every = 0ms});
  mapper_.save(Flight(1, 5));
  store_control.let_through([&](Transaction&, const ControlledStore::Keys&) {
    mapper_.apply<&Flight::book>(1, -100);
    return CommitOutcome::kConflict;
  });
  EXPECT_NO_THROW(mapper.apply_async<&Flight::book>(1, 10).get());
  EXPECT_EQ(load(1).seats(), 95);
}

TEST_P(StrategiesTest, NoDeltaOutlivesItsEntity) {
  mapper_.save(Flight(1));
  random_.apply<&Flight::like>(1);
  EXPECT_TRUE(mapper_.erase<Flight>(1));
  EXPECT_TRUE(records(*store_).empty());
  EXPECT_THROW(random_.apply<&Flight::like>(1), NotFound);
  mapper_.save(Flight(1));
  EXPECT_EQ(load(1).likes(), 0);
}

TEST_P(StrategiesTest, AWriteReplacesWhatEveryShardHeld) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 40; ++i) random_.apply<&Flight::rate>(1, 5);
  ASSERT_GT(records_of(1, "score"), 1u);
  random_.apply<&Flight::reset_score>(1, 7);
  EXPECT_EQ(load(1).score(), 7);
  EXPECT_EQ(records_of(1, "score"), 1u);
  for (int i = 0; i < 20; ++i) random_.apply<&Flight::rate>(1, 1);
  EXPECT_EQ(load(1).score(), 27);
  random_.apply<&Flight::reset_score>(1, 0);
  EXPECT_EQ(load(1).score(), 0);
}

TEST_P(StrategiesTest, AWriteIsPartOfAnUpdateOfSeveralAndOfASave) {
  mapper_.save(Flight(1));
  mapper_.apply<&Flight::rate>(1, 5);
  mapper_.update<Flight>(1, [](auto& flight) {
    flight.rate(100);
    flight.reset_score(1);
    flight.rate(2);
  });
  EXPECT_EQ(load(1).score(), 3);
  Flight flight = load(1);
  mapper_.apply<&Flight::rate>(1, 50);
  flight.reset_score(10);
  flight.rate(1);
  EXPECT_EQ(flight.score(), 11);
  mapper_.save(flight);
  EXPECT_EQ(load(1).score(), 11);
  mapper_.save(flight);
  mapper_.apply<&Flight::rate>(1, 1);
  mapper_.save(flight);
  EXPECT_EQ(load(1).score(), 12) << "it was saved already";
}

TEST_P(StrategiesTest, AWriteInATransactionIsSeenThere) {
  mapper_.save(Flight(1));
  mapper_.apply<&Flight::rate>(1, 5);
  mapper_.transact([](EntityTransaction& transaction) {
    transaction.apply<&Flight::rate>(1, 1);
    transaction.apply<&Flight::reset_score>(1, 20);
    transaction.apply<&Flight::rate>(1, 2);
    EXPECT_EQ(transaction.load<Flight>(1)->score(), 22);
  });
  EXPECT_EQ(load(1).score(), 22);
}

TEST_P(StrategiesTest, AWriteVoidsAnUpdateThatWasAboutToBeCommitted) {
  ControlledStore slow(*store_);
  Mapper writer(slow, {.combine = false, .compact_every = 0ms});
  writer.save(Flight(1));
  writer.apply<&Flight::rate>(1, 5);
  const int before = slow.commits_so_far();
  slow.close();
  std::thread late([&] { writer.apply<&Flight::rate>(1, 3); });
  slow.wait_for_commit(before + 1);
  mapper_.apply<&Flight::reset_score>(1, 100);
  slow.open();
  late.join();
  EXPECT_EQ(load(1).score(), 103) << "it conflicts, and counts after the write";
}

TEST_P(StrategiesTest, ASaveKeepsTheLayout) {
  mapper_.save(Flight(1));
  admin::set_shards<Flight>(mapper_, 1, "views", 3);
  mapper_.apply<&Flight::reset_score>(1, 9);
  Flight flight = load(1);
  flight.set_to("Oslo");
  mapper_.save(flight);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), 3u);
  EXPECT_EQ(load(1).score(), 9);
  EXPECT_EQ(load(1).to(), "Oslo");
}

TEST_P(StrategiesTest, TheNumberOfShardsGrowsAndShrinks) {
  mapper_.save(Flight(1));
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), 1u);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "score"), 4u);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "likes"), 0u);
  int views = 0;
  for (const std::uint32_t shards : {1u, 16u, 3u, 64u, 0u, 2u, 1u}) {
    admin::set_shards<Flight>(mapper_, 1, "views", shards);
    EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), shards);
    EXPECT_LE(records_of(1, "views"), std::max(shards, 1u)) << "what is beyond was folded";
    for (int i = 0; i < 200; ++i, ++views) random_.apply<&Flight::view>(1);
    if (shards == 0) {
      EXPECT_GT(records_of(1, "views"), 100u);
    } else {
      EXPECT_LE(records_of(1, "views"), shards);
    }
    EXPECT_EQ(load(1).views(), views);
  }
  admin::increase_shards<Flight>(mapper_, 1, "views", 5);
  admin::increase_shards<Flight>(mapper_, 1, "views", 4);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), 5u);
  for (const std::uint32_t shards : {0u, 64u}) {  // 0 stands for any number, which is more than each other
    admin::increase_shards<Flight>(mapper_, 1, "views", shards);
    EXPECT_EQ(admin::shards<Flight>(mapper_, 1, "views"), 0u);
  }
  EXPECT_THROW(admin::set_shards<Flight>(mapper_, 2, "views", 2), NotFound);
  EXPECT_THROW(admin::shards<Flight>(mapper_, 2, "views"), NotFound);
  EXPECT_THROW(admin::set_shards<Flight>(mapper_, 1, "views", kMostShards + 1), InvalidUse);
  EXPECT_THROW(admin::set_shards<Flight>(mapper_, 1, "seats", 0), InvalidUse);
}

TEST_P(StrategiesTest, AnUpdateOfTheOldNumberOfShardsIsRepeatedInTheNew) {
  ControlledStore slow(*store_);
  Mapper writer(slow, {.choice = ShardChoice::kRandom, .combine = false});
  writer.save(Flight(1));
  admin::set_shards<Flight>(mapper_, 1, "views", 4096);
  const int before = slow.commits_so_far();
  slow.close();
  std::thread late([&] { writer.apply<&Flight::view>(1); });
  slow.wait_for_commit(before + 1);
  admin::set_shards<Flight>(mapper_, 1, "views", 1);
  slow.open();
  late.join();
  EXPECT_EQ(load(1).views(), 1);
  EXPECT_EQ(records_of(1, "views"), 1u);
}

TEST_P(StrategiesTest, ABoundIsKeptToTheLastUnit) {
  mapper_.save(Flight(1, 100));
  EXPECT_EQ(records_of(1, "seats"), 8u);
  int booked = 0;
  for (int i = 0; i < 100; ++i, ++booked) random_.apply<&Flight::book>(1, 1);
  EXPECT_EQ(load(1).seats(), 0);
  EXPECT_THROW(random_.apply<&Flight::book>(1, 1), BoundExceeded);
  EXPECT_EQ(load(1).seats(), 0);
  random_.apply<&Flight::book>(1, -Flight::kSeats);
  EXPECT_EQ(load(1).seats(), Flight::kSeats);
  EXPECT_THROW(random_.apply<&Flight::book>(1, -1), BoundExceeded);
  random_.apply<&Flight::book>(1, Flight::kSeats);
  EXPECT_EQ(load(1).seats(), 0);
  random_.apply<&Flight::book>(1, 0);
}

TEST_P(StrategiesTest, AnEntityBeginsWithinItsBounds) {
  EXPECT_THROW(mapper_.save(Flight(1, Flight::kSeats + 1)), BoundExceeded);
  EXPECT_THROW(mapper_.save(Flight(1, -1)), BoundExceeded);
  EXPECT_FALSE(mapper_.exists<Flight>(1));
  mapper_.save(Flight(1, Flight::kSeats));
  EXPECT_EQ(load(1).seats(), Flight::kSeats);
}

TEST_P(StrategiesTest, AnUpdateOfSeveralPropertiesThatExceedsABoundDoesNothing) {
  mapper_.save(Flight(1, 3));
  const auto book_four = [](auto& flight) {
    flight.book(4);
    flight.view();
  };
  EXPECT_THROW(mapper_.update<Flight>(1, book_four), BoundExceeded);
  EXPECT_EQ(load(1).views(), 0);
  EXPECT_EQ(load(1).seats(), 3);
  Flight flight = load(1);
  flight.book(4);
  EXPECT_THROW(mapper_.save(flight), BoundExceeded);
  EXPECT_EQ(load(1).seats(), 3);
}

TEST_P(StrategiesTest, ABoundedPropertyIsResizedWithItsShares) {
  mapper_.save(Flight(1, 1000));
  int booked = 0;
  for (const std::uint32_t shards : {1u, 64u, 5u, 2u, 100u}) {
    admin::set_shards<Flight>(mapper_, 1, "seats", shards);
    EXPECT_EQ(records_of(1, "seats"), shards);
    for (int i = 0; i < 100; ++i, ++booked) random_.apply<&Flight::book>(1, 1);
    EXPECT_EQ(records_of(1, "seats"), shards);
    EXPECT_EQ(load(1).seats(), 1000 - booked);
  }
  EXPECT_THROW(random_.apply<&Flight::book>(1, 1001 - booked), BoundExceeded);
  random_.apply<&Flight::book>(1, 1000 - booked);
  EXPECT_EQ(load(1).seats(), 0);
}

/// What two updates that wait together make is judged one by one.
TEST_P(StrategiesTest, OfUpdatesInOneBatchThoseThatDoNotFitFail) {
  ControlledStore slow(*store_);
  Mapper mapper(slow);
  mapper.save(Flight(1, 10));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Flight::view>(1); });
  slow.wait_for_commit(before + 1);
  std::vector<Completion> bookings;
  for (int i = 0; i < 6; ++i) bookings.push_back(mapper.apply_async<&Flight::book>(1, 3));
  slow.open();
  first.join();
  int booked = 0;
  for (Completion& booking : bookings) {
    try {
      booking.get();
      ++booked;
    } catch (const BoundExceeded&) {
    }
  }
  EXPECT_EQ(booked, 3);
  EXPECT_EQ(load(1).seats(), 1);
}

TEST_P(StrategiesTest, NoUpdateOfABoundedPropertyIsAcknowledgedBeforeItIsCommitted) {
  Mapper buffered(*store_, {.durability = durability::buffered{1h}, .compact_every = 0ms});
  buffered.save(Flight(1, 2));
  buffered.apply<&Flight::book>(1, 2);
  EXPECT_EQ(load(1).seats(), 0);
  EXPECT_THROW(buffered.apply<&Flight::book>(1, 1), BoundExceeded);
  buffered.flush();
}

TEST_P(StrategiesTest, ABoundIsExceededOnlyByWhatIsCommitted) {
  ControlledStore slow(*store_);
  Mapper writer(slow, {.combine = false, .compact_every = 0ms});
  writer.save(Flight(1, 5));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread late([&] { writer.apply<&Flight::book>(1, 6); });  // too many, as yet
  slow.wait_for_commit(before + 1);
  mapper_.apply<&Flight::book>(1, -1);
  slow.open();
  late.join();
  EXPECT_EQ(load(1).seats(), 0);
}

TEST_P(StrategiesTest, UpdatesOfOneThreadKeepTheirOrderInABatch) {
  ControlledStore slow(*store_);
  Mapper mapper(slow);
  mapper.save(Flight(1));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Flight::view>(1); });
  slow.wait_for_commit(before + 1);
  std::vector<Completion> updates;
  for (int i = 0; i < 20; ++i) updates.push_back(mapper.apply_async<&Flight::rate>(1, 1000));
  updates.push_back(mapper.apply_async<&Flight::reset_score>(1, 1));
  for (int i = 0; i < 20; ++i) updates.push_back(mapper.apply_async<&Flight::rate>(1, 2));
  slow.open();
  first.join();
  for (Completion& update : updates) update.get();
  EXPECT_EQ(load(1).score(), 41);
}

TEST_P(StrategiesTest, UpdatesInOneBatchAreOneDelta) {
  ControlledStore slow(*store_);
  Mapper mapper(slow, {.compact_every = 0ms});
  mapper.save(Flight(1));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Flight::like>(1); });
  slow.wait_for_commit(before + 1);
  std::vector<Completion> likes;
  for (int i = 0; i < 20; ++i) likes.push_back(mapper.apply_async<&Flight::like>(1));
  slow.open();
  first.join();
  for (Completion& like : likes) like.get();
  EXPECT_EQ(records_of(1, "likes"), 2u);
  EXPECT_EQ(load(1).likes(), 21);
}

/// Waits for as long as it takes: a compaction that does not come fails by the time that tests have.
TEST_P(StrategiesTest, DeltasAreFoldedWithoutBeingAskedFor) {
  Mapper first(*store_, {.combine = false, .compact_every = 1ms});
  Mapper second(*store_, {.combine = false, .compact_every = 1ms});
  first.save(Flight(1));
  second.save(Flight(2));
  for (int i = 0; i < 300; ++i) {
    first.apply<&Flight::like>(1);
    second.apply<&Flight::like>(2);
  }
  while (records_of(1, "likes") != 1 || records_of(2, "likes") != 1) std::this_thread::yield();
  EXPECT_EQ(load(1).likes(), 300);
  EXPECT_EQ(load(2).likes(), 300);
}

TEST_P(StrategiesTest, AnEntityThatCannotBeCompactedDoesNotKeepOthersFromIt) {
  Mapper mapper(*store_, {.combine = false, .compact_every = 1ms});
  mapper.save(Flight(1));
  mapper.save(Flight(2));
  const auto transaction = store_->begin();
  transaction->put(detail::shard_key(entity_key("Flight", 1), "likes", 9), "nonsense");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  for (int i = 0; i < 300; ++i) {
    mapper.apply<&Flight::like>(1);  // its key comes first
    mapper.apply<&Flight::like>(2);
  }
  while (records_of(2, "likes") != 1) std::this_thread::yield();
  EXPECT_EQ(load(2).likes(), 300);
}

TEST_P(StrategiesTest, DeltasOfAProcessThatIsGoneAreNoticedByALoad) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 100; ++i) random_.apply<&Flight::like>(1);
  Mapper reader(*store_, {.compact_every = 1ms});
  EXPECT_EQ(reader.load<Flight>(1).value().likes(), 100);
  while (records_of(1, "likes") != 1) std::this_thread::yield();
  EXPECT_EQ(load(1).likes(), 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StrategiesTest, ::testing::ValuesIn(stores_for_threads()), store_name);

}  // namespace
}  // namespace autoshard::test
