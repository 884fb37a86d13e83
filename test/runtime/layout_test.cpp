// How records lie: what is left behind where a resize, a compaction or a replacement is cut short, and who
// notices.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "keys.h"
#include "shard_writer.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using detail::entity_key;
using namespace std::chrono_literals;

class LayoutTest : public StoreTest {
 protected:
  static constexpr int kLikes = 300, kViews = 60, kScore = 60, kSeats = 700;

  /// A flight with records of every kind: deltas, shards that a resize has left, voided ones.
  void make_flight() {
    mapper_.save(Flight(1, kSeats));
    admin::set_shards<Flight>(mapper_, 1, "views", 16);
    admin::set_shards<Flight>(mapper_, 1, "seats", 16);
    for (int i = 0; i < kViews; ++i) mapper_.apply<&Flight::view>(1);
    for (int i = 0; i < kScore; ++i) mapper_.apply<&Flight::rate>(1, 1);
    for (int i = 0; i < kLikes; ++i) mapper_.apply<&Flight::like>(1);
  }
  Flight load() { return mapper_.load<Flight>(1).value(); }
  std::size_t records_of(std::string_view property) {
    const detail::EntityKey key = entity_key("Flight", 1);
    const auto all = records(*store_, key);
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& record) {
      const auto shard = detail::read_shard_key(key, record.first);
      return shard && shard->property == property;
    }));
  }

  Mapper mapper_{
      *store_,
      {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}}};
};
INSTANTIATE_TEST_SUITE_P(Stores, LayoutTest, ::testing::ValuesIn(stores_for_threads()), store_name);

/// Something that writes several times, which ends before any of these.
TEST_P(LayoutTest, ACrashBeforeAnyCommitLeavesTheValues) {
  struct Work {
    const char* what;
    std::function<void(Mapper&)> run;
    int score_after = kScore;
  };
  const std::vector<Work> all = {
      {"fewer shards", [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "views", 3); }},
      {"more shards", [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "views", 64); }},
      {"deltas from now on", [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "views", 0); }},
      {"no deltas any more", [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "likes", 4); }},
      {"fewer shards within bounds",
       [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "seats", 3); }},
      {"more shards within bounds",
       [](Mapper& mapper) { admin::set_shards<Flight>(mapper, 1, "seats", 64); }},
      {"a compaction", [](Mapper& mapper) { admin::compact<Flight>(mapper, 1); }},
      {"a replacement", [](Mapper& mapper) { mapper.apply<&Flight::reset_score>(1, 1); }, 1},
  };
  for (const Work& work : all) {
    SCOPED_TRACE(work.what);
    bool was_cut_short = true;
    for (int last = 0; was_cut_short; ++last) {
      make_flight();
      was_cut_short = false;
      FaultyStore faulty(*store_);
      faulty.before_commit([&](int nth) {
        if (nth <= last) return Fate::kCommits;
        was_cut_short = true;
        return Fate::kCrashes;
      });
      try {
        Mapper crashing(faulty, {.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}});
        work.run(crashing);
      } catch (const std::exception&) {
      }
      const auto check = [&] {
        const Flight flight = load();
        EXPECT_EQ(flight.likes(), kLikes);
        EXPECT_EQ(flight.views(), kViews);
        EXPECT_EQ(flight.seats(), kSeats);
        EXPECT_EQ(flight.score(), last == 0 ? kScore : work.score_after);
      };
      check();
      admin::compact<Flight>(mapper_, 1);
      check();
      EXPECT_EQ(records_of("likes"), 1u);
      for (const char* const property : {"views", "seats"}) {
        const std::uint32_t shards = property[0] == 'v' ? admin::shards<Flight>(mapper_, 1, "views")
                                                        : admin::shards<Flight>(mapper_, 1, "seats");
        EXPECT_LE(records_of(property), std::max(shards, 1u));
      }
      mapper_.apply<&Flight::view>(1);
      mapper_.apply<&Flight::book>(1, kSeats);
      EXPECT_THROW(mapper_.apply<&Flight::book>(1, 1), BoundExceeded);
      EXPECT_EQ(load().views(), kViews + 1);
      EXPECT_EQ(load().seats(), 0);
      ASSERT_TRUE(mapper_.erase<Flight>(1));
      ASSERT_TRUE(records(*store_).empty());
      ASSERT_LT(last, 20) << "it never ends";
    }
  }
}

TEST_P(LayoutTest, WhatAResizeHasLeftIsNoticedByALoad) {
  make_flight();
  FaultyStore faulty(*store_);
  faulty.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  Mapper crashing(faulty, {.compact_every = 0ms});
  admin::set_shards<Flight>(crashing, 1, "views", 2);
  ASSERT_GT(records_of("views"), 2u);
  Mapper reader(*store_, {.compact_every = 1ms});
  EXPECT_EQ(reader.load<Flight>(1).value().views(), kViews);
  while (records_of("views") > 2) std::this_thread::yield();
  EXPECT_EQ(load().views(), kViews);
}

TEST_P(LayoutTest, WhatAReplacementHasLeftIsNoticedByALoad) {
  mapper_.save(Flight(1));
  admin::set_shards<Flight>(mapper_, 1, "score", 0);
  for (int i = 0; i < 10; ++i) mapper_.apply<&Flight::rate>(1, 1);
  mapper_.apply<&Flight::reset_score>(1, 3);
  ASSERT_GT(records_of("score"), 1u);
  Mapper reader(*store_, {.compact_every = 1ms});
  EXPECT_EQ(reader.load<Flight>(1).value().score(), 3);
  while (records_of("score") > 1) std::this_thread::yield();
  EXPECT_EQ(load().score(), 3);
}

TEST_P(LayoutTest, TheNumberIsSetThoughWhatLiesBeyondCannotBeFolded) {
  make_flight();
  const auto transaction = store_->begin();
  transaction->put(detail::shard_key(entity_key("Flight", 1), "views", 9), "nonsense");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  std::vector<std::string> log;
  Mapper mapper(*store_,
                {.compact_every = 0ms, .log = [&](std::string_view line) { log.emplace_back(line); }});
  admin::set_shards<Flight>(mapper, 1, "views", 4);
  EXPECT_EQ(admin::shards<Flight>(mapper, 1, "views"), 4u);
  EXPECT_THAT(log, testing::ElementsAre(testing::HasSubstr("Flight 1 is not compacted")));
}

/// Before that, a compaction would find nothing, and nobody would look again.
TEST_P(LayoutTest, ADeltaIsNotedOnceItIsCommitted) {
  mapper_.save(Flight(1));
  FaultyStore store(*store_);
  detail::MapperContext context(store, {});
  store.before_commit([&](int) {
    EXPECT_TRUE(context.compactable.take().empty());
    return Fate::kCommits;
  });
  const detail::EntityKey key = entity_key("Flight", 1);
  Flight::Shard shard{.likes_ = 1};
  detail::Request request(detail::kEntityType<Flight>, key, &shard);
  detail::Request* requests = &request;
  detail::AffinityNumber affinity = 0;
  detail::ShardWriter(context, affinity).commit({&requests, 1});
  EXPECT_EQ(context.compactable.take().count(key), 1u);
}

}  // namespace
}  // namespace autoshard::test
