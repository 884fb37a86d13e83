#include <autoshard/autoshard.h>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entities/expiry/session.autoshard.h"
#include "entities/strategies/purse.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "keys.h"
#include "mapper_core.h"
#include "shared_store.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using shop::Stock;
using web::Session;

std::vector<Session> sessions(long from, long to) {
  std::vector<Session> sessions;
  for (long number = from; number < to; ++number)
    sessions.emplace_back(number, "user " + std::to_string(number));
  return sessions;
}

template <class Error, class Call>
std::vector<std::size_t> places_that_fail_with(Call call) {
  try {
    call();
  } catch (const BatchFailed& failed) {
    std::vector<std::size_t> places;
    for (const BatchFailed::Failure& failure : failed.failures()) {
      EXPECT_THROW(std::rethrow_exception(failure.error), Error);
      places.push_back(failure.place);
    }
    return places;
  }
  ADD_FAILURE() << "nothing failed";
  return {};
}

/// A store around another, which does something before it reads several ranges.
class WatchedStore final : public Store {
 public:
  WatchedStore(Store& store, std::function<void()> before) : store_(store), before_(std::move(before)) {}

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Transaction> begin() override { return store_.begin(); }
  std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<WatchedSnapshot>(*this); }

 private:
  class WatchedSnapshot final : public Snapshot {
   public:
    explicit WatchedSnapshot(const WatchedStore& store)
        : before_(store.before_), snapshot_(store.store_.snapshot()) {}

    bool get(std::string_view key, std::string& value) const override { return snapshot_->get(key, value); }
    std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                 Direction direction) const override {
      return snapshot_->scan(begin, end, direction);
    }
    std::unique_ptr<Cursor> scan_all(std::vector<KeyRange> ranges) const override {
      before_();
      return snapshot_->scan_all(std::move(ranges));
    }

   private:
    const std::function<void()>& before_;
    const std::unique_ptr<Snapshot> snapshot_;
  };

  Store& store_;
  const std::function<void()> before_;
};

class BatchTest : public StoreTest {
 protected:
  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.retry = {.initial_backoff = 1us}, .compact_every = 0ms}};
  Mapper other_{*store_, {.compact_every = 0ms}};  // somebody else's
};

TEST_P(BatchTest, LoadsInTheOrderOfTheIds) {
  mapper_.save(sessions(0, 300));
  mapper_.apply<&Session::hit>(7, 5);
  mapper_.erase<Session>(8);
  const std::vector<long> ids = {299, 7, 1000, 8, 0, 7};
  const auto loaded = mapper_.load<Session>(ids);
  ASSERT_EQ(loaded.size(), ids.size());
  EXPECT_EQ(loaded[0]->number(), 299);
  EXPECT_EQ(loaded[1]->hits(), 5);
  EXPECT_EQ(loaded[1]->loads(), 1);
  EXPECT_FALSE(loaded[2] || loaded[3]);
  EXPECT_EQ(loaded[4]->user, "user 0");
  EXPECT_EQ(loaded[5]->hits(), 5);
  EXPECT_TRUE(mapper_.load<Session>(std::vector<long>()).empty());
}

TEST_P(BatchTest, LoadsMoreThanOneReadTakes) {
  mapper_.save(sessions(0, 300));
  std::vector<long> ids;
  for (long id = 299; id >= 0; --id) ids.push_back(id);
  const auto loaded = mapper_.load<Session>(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_TRUE(loaded[i]) << ids[i];
    ASSERT_EQ(loaded[i]->number(), ids[i]);
  }
}

TEST_P(BatchTest, LoadsTextsForIdsAndAnyRange) {
  mapper_.save(Stock("nut", 3));
  mapper_.save(Stock("bolt", 4));
  const std::list<std::string> ids = {"bolt", "screw", "nut"};
  const auto loaded = mapper_.load<Stock>(ids);
  EXPECT_EQ(loaded[0]->pieces(), 4);
  EXPECT_FALSE(loaded[1]);
  EXPECT_EQ(loaded[2]->pieces(), 3);
  EXPECT_EQ(mapper_.load<Stock>("nut")->pieces(), 3);  // a text is one id
}

/// A tombstone that an erase has left, with shards behind it.
TEST_P(BatchTest, SkipsWhatAnEraseHasLeft) {
  mapper_.save(sessions(0, 3));
  mapper_.apply<&Session::hit>(1, 5);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(mapper_.erase<Session>(1));
  const auto loaded = mapper_.load<Session>(std::vector<long>{0, 1, 2});
  EXPECT_TRUE(loaded[0] && loaded[2]);
  EXPECT_FALSE(loaded[1]);
}

TEST_P(BatchTest, LoadsOneInstantInFewReads) {
  mapper_.save(sessions(0, 200));
  std::vector<long> ids;
  for (long id = 0; id < 200; ++id) ids.push_back(id);
  int reads = 0;
  WatchedStore watched(*store_, [&] {
    ++reads;
    other_.apply<&Session::hit>(0, 1);
    other_.apply<&Session::hit>(199, 1);
  });
  const auto loaded = Mapper(watched, {.compact_every = 0ms}).load<Session>(ids);
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(loaded[0]->hits(), 0);
  EXPECT_EQ(loaded[199]->hits(), 0);
}

TEST_P(BatchTest, SavesNewAndChangedEntitiesInTwoCommits) {
  std::vector<Session> batch = sessions(0, 100);
  mapper_.save(batch);
  EXPECT_EQ(admin::counters(mapper_).commits, 1U);
  for (Session& session : batch) {
    EXPECT_EQ(session.saves(), 1);
    session.user += "!";
    session.hit(session.number());
  }
  mapper_.save(batch);
  EXPECT_EQ(admin::counters(mapper_).commits, 3U);
  EXPECT_EQ(admin::counters(mapper_).retries, 0U);
  for (const Session& session : batch) {
    const auto loaded = other_.load<Session>(session.number()).value();
    EXPECT_EQ(loaded.user, "user " + std::to_string(session.number()) + "!");
    EXPECT_EQ(loaded.hits(), session.number());
  }
  for (Session& session : batch) session.hit(1);
  mapper_.save(batch);  // each knows what was committed
  EXPECT_EQ(other_.load<Session>(5)->hits(), 6);
}

TEST_P(BatchTest, SavesAndErasesSoManyInACommit) {
  constexpr long kOneMore = detail::kEntitiesAtOnce + 1;
  mapper_.save(sessions(0, kOneMore));
  EXPECT_EQ(admin::counters(mapper_).commits, 2U);
  std::vector<long> ids;
  for (long id = 0; id < kOneMore; ++id) ids.push_back(id);
  EXPECT_EQ(mapper_.erase<Session>(ids), static_cast<std::uint64_t>(kOneMore));
  EXPECT_EQ(admin::counters(mapper_).commits, 6U) << "two for each batch";
}

TEST_P(BatchTest, SavesWhatABatchLoaded) {
  mapper_.save(sessions(0, 2));
  auto loaded = mapper_.load<Session>(std::vector<long>{0, 5, 1});
  loaded[0]->user = "ann";
  loaded[2]->hit(3);
  mapper_.save(loaded);
  EXPECT_EQ(other_.load<Session>(0)->user, "ann");
  EXPECT_EQ(other_.load<Session>(1)->hits(), 3);
  std::vector<std::unique_ptr<Session>> pointers;
  pointers.push_back(std::make_unique<Session>(9));
  pointers.push_back(nullptr);
  mapper_.save(pointers);
  EXPECT_TRUE(other_.exists<Session>(9));
}

TEST_P(BatchTest, OneThatCannotBeSavedLeavesTheOthersAlone) {
  mapper_.save(sessions(0, 20));
  auto batch = mapper_.load<Session>(std::vector<long>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (auto& session : batch) {
    session->user = "mine";
    session->hit(1);
  }
  auto theirs = other_.load<Session>(3).value();
  other_.save(theirs);
  other_.erase<Session>(6);
  const auto save = [&] { mapper_.save(batch); };
  EXPECT_EQ(places_that_fail_with<Error>(save), (std::vector<std::size_t>{3, 6}));
  for (const long number : {0, 1, 2, 4, 5, 7, 8, 9}) {
    EXPECT_EQ(other_.load<Session>(number)->user, "mine") << number;
    EXPECT_EQ(other_.load<Session>(number)->hits(), 1) << number;
  }
  EXPECT_EQ(other_.load<Session>(3)->user, "user 3");
  EXPECT_EQ(other_.load<Session>(3)->hits(), 0);
  EXPECT_FALSE(other_.exists<Session>(6));
  EXPECT_EQ(places_that_fail_with<Error>(save), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(other_.load<Session>(0)->hits(), 1);  // nothing is counted twice
}

TEST_P(BatchTest, ANewEntityTwiceIsCreatedOnce) {
  std::vector<Session> batch = sessions(0, 3);
  batch.emplace_back(1, "another");
  EXPECT_EQ(places_that_fail_with<StaleEntity>([&] { mapper_.save(batch); }), (std::vector<std::size_t>{3}));
  EXPECT_EQ(other_.load<Session>(1)->user, "user 1");
}

TEST_P(BatchTest, AConflictIsTriedAgain) {
  std::vector<Session> batch = sessions(0, 5);
  mapper_.save(batch);
  for (Session& session : batch) {
    session.user = "changed";
    session.hit(1);
  }
  faulty_.before_commit([](int nth) { return nth % 2 == 1 ? Fate::kConflicts : Fate::kCommits; });
  mapper_.save(batch);
  for (const Session& session : batch) {
    EXPECT_EQ(other_.load<Session>(session.number())->user, "changed");
    EXPECT_EQ(other_.load<Session>(session.number())->hits(), 1);
  }
}

TEST_P(BatchTest, NothingIsLostOrCountedTwiceByUpdatesThatCannotBeCommitted) {
  std::vector<Session> batch = sessions(0, 5);
  Mapper hasty(faulty_, {.retry = RetryPolicy::none(), .compact_every = 0ms});
  hasty.save(batch);
  for (Session& session : batch) {
    session.user += "!";  // without this, what before_save sets would not be written
    session.hit(1);
  }
  int left = 3;  // the first commit is that of the main records
  faulty_.before_commit([&](int nth) { return nth > 1 && left-- > 0 ? Fate::kConflicts : Fate::kCommits; });
  const auto failed = places_that_fail_with<Contention>([&] { hasty.save(batch); });
  EXPECT_FALSE(failed.empty());
  faulty_.before_commit([](int) { return Fate::kCommits; });
  hasty.save(batch);
  for (const Session& session : batch) EXPECT_EQ(other_.load<Session>(session.number())->hits(), 1);
}

TEST_P(BatchTest, AnUnavailableStoreIsNotAskedForEach) {
  std::vector<Session> batch = sessions(0, 300);
  faulty_.before_commit([](int) { return Fate::kCrashes; });
  EXPECT_EQ(places_that_fail_with<StoreUnavailable>([&] { mapper_.save(batch); }).size(), 300U);
  EXPECT_LT(faulty_.commits(), 10);
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(batch);
  EXPECT_TRUE(other_.exists<Session>(299));
}

TEST_P(BatchTest, AStoreThatIsAwayForUpdatesIsNotAskedForMore) {
  std::vector<Session> batch = sessions(0, 2'000);
  mapper_.save(batch);
  for (Session& session : batch) session.hit(1);  // the main records stay as they are
  faulty_.before_commit([](int) { return Fate::kCrashes; });
  EXPECT_EQ(places_that_fail_with<StoreUnavailable>([&] { mapper_.save(batch); }).size(), 2'000U);
  EXPECT_EQ(faulty_.commits(), 1);
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(batch);
  for (const Session& session : batch) EXPECT_EQ(other_.load<Session>(session.number())->hits(), 1);
}

/// Each transaction and snapshot of the save fails to begin once.
TEST_P(BatchTest, AStoreThatIsAwayAtAnyBeginningLosesAndRepeatsNothing) {
  std::vector<Session> batch = sessions(0, 5);
  mapper_.save(batch);
  int refused = 0;
  for (int nth = 1;; ++nth) {
    Mapper mapper(faulty_, {.retry = {.initial_backoff = 1us}, .compact_every = 0ms});
    for (Session& session : batch) session.hit(1);
    int begun = 0;
    faulty_.before_begin([&] {
      if (++begun == nth) throw StoreUnavailable("away");
    });
    try {
      mapper.save(batch);
    } catch (const BatchFailed& failed) {
      ++refused;
      for (const BatchFailed::Failure& failure : failed.failures())
        EXPECT_THROW(std::rethrow_exception(failure.error), StoreUnavailable);
    }
    faulty_.before_begin({});
    mapper.save(batch);
    for (const Session& session : batch) ASSERT_EQ(other_.load<Session>(session.number())->hits(), nth);
    if (begun < nth) break;
  }
  EXPECT_GT(refused, 0);
}

TEST_P(BatchTest, AValueThatCannotBeWrittenFailsItsEntityAlone) {
  std::vector<shop::Purse> batch;
  for (int id = 0; id < 3; ++id) batch.emplace_back(id);
  mapper_.save(batch);
  batch[0].put(1);
  batch[1].put(shop::Amount::kUnwritable);
  batch[2].put(3);
  EXPECT_EQ(places_that_fail_with<std::domain_error>([&] { mapper_.save(batch); }),
            std::vector<std::size_t>{1});
  EXPECT_EQ(other_.load<shop::Purse>(0)->total() + other_.load<shop::Purse>(2)->total(), 4);
}

TEST_P(BatchTest, AnUnknownOutcomeIsThatOfAllInTheCommit) {
  std::vector<Session> batch = sessions(0, 5);
  faulty_.before_commit([](int) { return Fate::kUnknownLost; });
  EXPECT_EQ(places_that_fail_with<OutcomeUnknown>([&] { mapper_.save(batch); }).size(), 5U);
  EXPECT_EQ(faulty_.commits(), 1);
}

TEST_P(BatchTest, WhatAHookThrowsKeepsAllFromBeingSaved) {
  std::vector<Session> batch = sessions(0, 5);
  batch[3].refuses = true;
  EXPECT_THROW(mapper_.save(batch), std::runtime_error);
  EXPECT_TRUE(records(*store_, "\2", "\3").empty());
}

TEST_P(BatchTest, ErasesWhatThereIs) {
  mapper_.save(sessions(0, 150));
  mapper_.apply<&Session::hit>(7, 5);
  const std::uint64_t commits = admin::counters(mapper_).commits;
  std::vector<long> ids = {7, 7, 1000};
  for (long id = 0; id < 100; ++id) ids.push_back(id);
  EXPECT_EQ(mapper_.erase<Session>(ids), 100U);
  EXPECT_EQ(admin::counters(mapper_).commits - commits, 2U);
  EXPECT_EQ(mapper_.query<Session>().count(), 50U);
  EXPECT_EQ(mapper_.erase<Session>(ids), 0U);
  mapper_.save(sessions(7, 8));
  EXPECT_EQ(mapper_.load<Session>(7)->hits(), 0);
}

TEST_P(BatchTest, AnEntityThatIsNamedTwiceIsErasedOnce) {
  FaultyStore counting(*store_);
  Mapper mapper(counting, {.combine = false, .compact_every = 0ms});
  const auto reads_to_erase = [&](const std::vector<long>& numbers) {
    mapper_.save(sessions(0, 3));
    int reads = 0;
    counting.before_get([&] { ++reads; });
    EXPECT_EQ(mapper.erase<Session>(numbers), 3U);
    return reads;
  };
  const int reads = reads_to_erase({0, 1, 2});
  EXPECT_EQ(reads_to_erase({1, 2, 0, 1, 2}), reads);
}

TEST_P(BatchTest, AnEraseLeavesNoShards) {
  mapper_.save(sessions(0, 3));
  for (long id = 0; id < 3; ++id) mapper_.apply<&Session::hit>(id, 5);
  faulty_.before_commit([](int nth) { return nth == 2 ? Fate::kConflicts : Fate::kCommits; });
  EXPECT_EQ(mapper_.erase<Session>(std::vector<long>{0, 1, 2}), 3U);
  EXPECT_TRUE(records(*store_, "\2", "\3").empty());
}

TEST_P(BatchTest, AnErasedEntityIsNotLoadedFromTheCache) {
  mapper_.save(sessions(0, 3));
  EXPECT_TRUE(mapper_.load<Session>(1, cached{1h}));
  mapper_.erase<Session>(std::vector<long>{0, 1});
  EXPECT_FALSE(mapper_.load<Session>(1, cached{1h}));
}

INSTANTIATE_TEST_SUITE_P(Stores, BatchTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(BatchTest, TheGenerationOfIndexesIsReadAheadOnce) {
  SharedStore shared(*store_);
  Mapper mapper(shared, {.compact_every = 0ms});
  mapper.save(sessions(0, 1)[0]);
  const std::string generation = detail::indexes_key("Session");
  std::vector<Session> created = sessions(1, 5);
  const auto expect_read_ahead = [&](const char* what) {
    EXPECT_EQ(shared.reads_ahead(generation), 1) << what;
    EXPECT_EQ(shared.waits_for(generation), 0) << what;
    shared.forget();
  };
  shared.forget();
  mapper.save(created);
  expect_read_ahead("created");
  mapper.erase<Session>(std::vector<long>{1, 2, 3, 4});
  expect_read_ahead("erased");
}

}  // namespace
}  // namespace autoshard::test
