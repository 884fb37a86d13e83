// A server loses its last commits, and the processes that use it go on.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "forgetful_store.h"
#include "lossy_store.h"
#include "mapper_fixture.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using moderator::Question;
using shop::Stock;
using namespace std::chrono_literals;

/// Nobody else writes, so that a call needs few attempts.
Mapper::Options options() {
  return {.retry = {.max_attempts = 20, .initial_backoff = 1us},
          .compact_every = 0ms,
          .adaptive = {.window = 0ms}};
}

class LostCommitsTest : public StoreTest {
 protected:
  ForgetfulStore server_{*store_};
  FaultyStore faulty_{server_, FaultyStore::Acknowledgements::kMayBeLost};
};
INSTANTIATE_TEST_SUITE_P(Stores, LostCommitsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(LostCommitsTest, AMapperWritesOnAtOnce) {
  Mapper mapper(faulty_, options());
  mapper.save(question(1));
  for (int lost = 1; lost <= 3; ++lost) {
    for (int i = 0; i < 3; ++i) mapper.apply<&Question::voteUp>(1);
    const int before = mapper.load<Question>(1).value().votes();
    server_.lose(static_cast<std::size_t>(lost));
    mapper.apply<&Question::voteUp>(1);
    EXPECT_EQ(mapper.load<Question>(1).value().votes(), before - lost + 1);
  }
  EXPECT_EQ(admin::counters(mapper).conflicts, 0u);
}

TEST_P(LostCommitsTest, AMapperWritesOnWithoutTheMarkThatItBeganWith) {
  Mapper(*store_).save(question(1));
  Mapper mapper(faulty_, options());
  mapper.apply<&Question::voteUp>(1);
  server_.lose(server_.commits());
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
}

/// The commit took effect, its acknowledgement did not arrive, and then the server lost it.
TEST_P(LostCommitsTest, AnUnknownOutcomeIsThatOfTheStateThatIsLeft) {
  Mapper mapper(faulty_, options());
  mapper.save(question(1));
  for (std::size_t lost = 1; lost <= 3; ++lost) {
    for (int i = 0; i < 2; ++i) mapper.apply<&Question::voteUp>(1);
    const int before = mapper.load<Question>(1).value().votes();
    faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kUnknownDone : Fate::kCommits; });
    int begun = 0;
    faulty_.before_begin([&] {
      if (++begun == 2) server_.lose(lost);
    });
    mapper.apply<&Question::voteUp>(1);
    faulty_.before_begin(nullptr);
    EXPECT_EQ(mapper.load<Question>(1).value().votes(), before + 1 - static_cast<int>(lost) + 1);
  }
  EXPECT_EQ(admin::counters(mapper).resolved, 3u);
}

TEST_P(LostCommitsTest, AnObjectWhoseSaveIsLostIsNotThatOfTheSaveInItsPlace) {
  Mapper mapper(server_, options());
  mapper.save(Stock("nut"));
  Stock lost = mapper.load<Stock>("nut").value(), other = mapper.load<Stock>("nut").value();
  lost.set_price(2);
  mapper.save(lost);
  server_.lose(1);
  other.set_price(3);
  mapper.save(other);
  lost.set_price(4);
  EXPECT_THROW(mapper.save(lost), StaleEntity);
  EXPECT_THROW(mapper.transact([&](EntityTransaction& transaction) { transaction.save(lost); }), StaleEntity);
  EXPECT_EQ(mapper.load<Stock>("nut")->price(), 3);
  other.set_price(5);
  mapper.save(other);
  EXPECT_EQ(mapper.load<Stock>("nut")->price(), 5);
}

/// Random calls of several processes, one at a time. The server loses commits between two calls, or before a
/// process looks for an acknowledgement that was lost.
class RandomLosses {
 public:
  RandomLosses(Store& store, std::mt19937_64& generator) : server_(store), generator_(generator) {
    Mapper(store).save(Flight(7, Flight::kSeats));
    for (std::size_t i = 0; i < kProcesses; ++i) {
      lossy_.emplace_back(server_, generator_());
      Mapper::Options chosen = options();
      chosen.combine = i % 2 == 0;
      mappers_.push_back(std::make_unique<Mapper>(lossy_.back(), chosen));
    }
  }

  void run() {
    for (int i = 0; i < kCalls && !::testing::Test::HasFailure(); ++i) {
      if (below(generator_, 10) == 0) server_.lose(below(generator_, 12));
      SCOPED_TRACE("call " + std::to_string(i));
      call(*mappers_[below(generator_, kProcesses)]);
    }
    mappers_.clear();
    const std::int64_t before = likes();
    for (LossyStore& lossy : lossy_) lossy.deliver();
    EXPECT_EQ(likes(), before) << "a commit that the mapper had given up arrived";
  }

 private:
  static constexpr std::size_t kProcesses = 3;
  static constexpr int kCalls = 400;

  void call(Mapper& mapper) {
    const std::int64_t before = likes();
    try {
      mapper.update<Flight>(7, [](auto& shard) {
        shard.book(1);
        shard.like();
        shard.rate(1);
        shard.view();
      });
      EXPECT_EQ(likes(), before + 1);
    } catch (const OutcomeUnknown&) {
      // The server has lost the mark as well.
      EXPECT_LE(likes(), before + 1);
    } catch (const StoreUnavailable&) {
      EXPECT_EQ(likes(), before);
    } catch (const Contention& error) {
      ADD_FAILURE() << error.what();
    }
  }

  /// The number of updates that count, by each of the properties.
  std::int64_t likes() {
    const Flight flight = reader_.load<Flight>(7).value();
    EXPECT_EQ(Flight::kSeats - flight.seats(), flight.likes());
    EXPECT_EQ(flight.score(), flight.likes());
    EXPECT_EQ(flight.views(), flight.likes());
    return flight.likes();
  }

  ForgetfulStore server_;
  std::mt19937_64& generator_;
  Mapper reader_{server_, options()};
  std::deque<LossyStore> lossy_;
  std::vector<std::unique_ptr<Mapper>> mappers_;
};

class RandomLossesTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, RandomLossesTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(RandomLossesTest, WhatIsAcknowledgedNextCountsOnce) {
  std::mt19937_64 generator = seeded_generator();
  RandomLosses(*store_, generator).run();
}

}  // namespace
}  // namespace autoshard::test
