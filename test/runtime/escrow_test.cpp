// Properties with bounds, where the class is not what it was when their records were written.

#include "escrow.h"

#include <autoshard/autoshard.h>
#include <autoshard/json.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "controlled_store.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/hold.autoshard.h"
#include "entities/versions/bus.h"
#include "keys.h"
#include "main_record.h"
#include "shard_record.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using bus::UnboundedBus;
using ship::Hold;
using Old = bus::SeatsBus;
using New = bus::FreeBus;

class EscrowTest : public StoreTest {
 protected:
  ~EscrowTest() override {
    bus::least = 0;
    bus::most = 1000;
  }
  template <class Bus>
  int free() {
    return mapper_.load<Bus>(1).value().free();
  }

  void put_raw(std::string_view key, const std::string& value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  /// Puts the main record of a class whose property was not sharded.
  void put_unsharded(int seats) {
    std::string record;
    Encoder out(record);
    out.map(2);
    out.text("@version");
    out.natural(detail::first_version());
    out.text("seats");
    out.integer(seats);
    put_raw(detail::main_key(kKey), record);
  }
  /// Puts shards of an `Old` as they would be if each held this, and its share of the bounds.
  void put_parts(const std::vector<int>& parts) {
    const auto shards = static_cast<std::uint32_t>(parts.size());
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      std::string record;
      const detail::Share share = detail::share_of({0, 1000}, shards, shard);
      Encoder out(record);
      out.array(4);
      for (const std::int64_t value : {std::int64_t{parts[shard]}, std::int64_t{0}, share.least, share.most})
        out.integer(value);
      put_raw(detail::shard_key(kKey, "seats", static_cast<std::uint16_t>(shard)), record);
    }
  }

  const detail::EntityKey kKey = detail::entity_key("Bus", 1);
  Mapper mapper_{*store_, {.choice = ShardChoice::kRandom, .compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, EscrowTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(EscrowTest, KnowsWhatLiesUnderAFormerName) {
  for (const std::uint32_t shards : {4u, 7u, 1u}) {
    mapper_.save(Old(1, 600));
    admin::set_shards<Old>(mapper_, 1, "seats", shards);
    EXPECT_EQ(free<New>(), 600);
    EXPECT_THROW(mapper_.apply<&New::take>(1, 601), BoundExceeded);
    EXPECT_THROW(mapper_.apply<&New::take>(1, -401), BoundExceeded);
    mapper_.apply<&New::take>(1, -400);
    EXPECT_EQ(free<New>(), 1000);
    for (int i = 0; i < 10; ++i) mapper_.apply<&New::take>(1, 100);
    EXPECT_EQ(free<New>(), 0);
    EXPECT_THROW(mapper_.apply<&New::take>(1, 1), BoundExceeded);
    for (const auto& [key, value] : records(*store_)) {
      const auto shard = detail::read_shard_key(detail::entity_key("Bus", 1), key);
      EXPECT_TRUE(!shard || shard->property == "seats") << "where programs of the earlier version find it";
    }
    EXPECT_TRUE(mapper_.erase<New>(1));
  }
}

// A program wrote them whose class had this name without the former one.
TEST_P(EscrowTest, KnowsWhatLiesUnderTodaysName) {
  mapper_.save(Old(1, 600));
  std::string record;
  Encoder out(record);
  out.array(2);
  out.integer(-100);
  out.integer(0);
  put_raw(detail::shard_key(kKey, "free", 2), record);
  EXPECT_EQ(free<New>(), 500);
  EXPECT_THROW(mapper_.apply<&New::take>(1, 501), BoundExceeded);
  mapper_.apply<&New::take>(1, 500);
  EXPECT_EQ(free<New>(), 0);
}

TEST_P(EscrowTest, ARecordOfSomethingElseChangesNothing) {
  mapper_.save(Old(1, 600));
  std::string foreign = detail::shard_key(kKey, "seats", 0).bytes();
  foreign.resize(foreign.size() - 2);
  foreign += '\1';  // too short for a shard, among those that are looked at
  put_raw(foreign, "\xC0");
  EXPECT_THROW(mapper_.apply<&Old::take>(1, 601), BoundExceeded);
  mapper_.apply<&Old::take>(1, 600);
  EXPECT_EQ(free<Old>(), 0);
}

TEST_P(EscrowTest, ReplacesWhatLiesUnderAFormerName) {
  mapper_.save(Old(1, 600));
  mapper_.apply<&New::set_free>(1, 900);
  EXPECT_EQ(free<New>(), 900);
  mapper_.apply<&New::take>(1, -100);
  EXPECT_EQ(free<New>(), 1000);
}

/// The shards with the shares stay where they are, and are void.
TEST_P(EscrowTest, CountsWhatAReleaseWithoutTheBoundsHasReplaced) {
  for (int i = 0; i < 8; ++i) {  // whichever shard the update looks at
    mapper_.save(Old(1, 600));
    mapper_.update<UnboundedBus>(1, [](auto& bus) {
      bus.replaced_free_ = true;
      bus.free_ = 900;
    });
    EXPECT_EQ(free<New>(), 900);
    EXPECT_THROW(mapper_.apply<&New::take>(1, -101), BoundExceeded);
    EXPECT_THROW(mapper_.apply<&New::take>(1, 901), BoundExceeded);
    mapper_.apply<&New::take>(1, 800);
    EXPECT_EQ(free<New>(), 100);
    EXPECT_EQ(free<Old>(), 100) << "shared out again";
    mapper_.erase<New>(1);
  }
}

/// Each of eight shards has an eighth of the bounds, and is full or empty.
TEST_P(EscrowTest, AnUpdateWithinAShareReadsNoOtherShard) {
  FaultyStore counting(*store_);
  Mapper mapper(counting, {.combine = false, .compact_every = std::chrono::milliseconds(0)});
  int reads = 0;
  for (const int seats : {1000, 0}) {
    mapper.save(airline::Flight(seats, seats));
    counting.before_get([&] { ++reads; });
    reads = 0;
    mapper.apply<&airline::Flight::book>(seats, seats == 0 ? -1 : 1);
    EXPECT_GT(reads, 0);
    EXPECT_LT(reads, 8);
  }
}

TEST_P(EscrowTest, TheBoundsMayBecomeNarrower) {
  mapper_.save(Old(1, 900));
  bus::most = 500;
  EXPECT_THROW(mapper_.apply<&Old::take>(1, -1), BoundExceeded);
  EXPECT_THROW(mapper_.apply<&Old::set_free>(1, 501), BoundExceeded);
  mapper_.apply<&Old::take>(1, 1);
  EXPECT_EQ(free<Old>(), 899) << "it comes closer";
  mapper_.apply<&Old::set_free>(1, 500);
  EXPECT_EQ(free<Old>(), 500);
  bus::most = 1000;
  mapper_.apply<&Old::take>(1, -500);
  EXPECT_EQ(free<Old>(), 1000);
}

TEST_P(EscrowTest, AnImportCreatesWhatLiesOutsideOfNarrowerBounds) {
  mapper_.save(Old(1, 900));
  bus::most = 500;
  std::stringstream text;
  export_json<Old>(mapper_, text);
  mapper_.erase<Old>(1);
  EXPECT_EQ(import_json<Old>(mapper_, text), 1U);
  EXPECT_EQ(free<Old>(), 900);
  EXPECT_THROW(mapper_.apply<&Old::take>(1, -1), BoundExceeded);
  mapper_.apply<&Old::take>(1, 400);
  mapper_.apply<&Old::take>(1, 500);
  EXPECT_THROW(mapper_.apply<&Old::take>(1, 1), BoundExceeded);
  EXPECT_THROW(mapper_.save(Old(2, 501)), BoundExceeded) << "that is no copy";
}

/// Each fares as it would in a commit of its own.
TEST_P(EscrowTest, UpdatesThatShareACommitKeepToNarrowerBounds) {
  ControlledStore slow(*store_);
  Mapper mapper(slow, {.compact_every = std::chrono::milliseconds(0)});
  mapper.save(Old(1, 900));
  mapper.save(Old(2, 900));
  bus::most = 500;
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Old::take>(1, 1); });
  slow.wait_for_commit(before + 1);
  Completion replacement = mapper.apply_async<&Old::set_free>(1, 100);
  Completion fits = mapper.apply_async<&Old::take>(1, -300);
  Completion too_much = mapper.apply_async<&Old::take>(1, -200);
  Completion closer = mapper.apply_async<&Old::take>(2, 300);
  Completion back_again = mapper.apply_async<&Old::take>(2, -200);
  slow.open();
  first.join();
  replacement.get();
  fits.get();
  EXPECT_THROW(too_much.get(), BoundExceeded);
  closer.get();
  EXPECT_THROW(back_again.get(), BoundExceeded);
  EXPECT_EQ(free<Old>(), 400);
  EXPECT_EQ(mapper_.load<Old>(2).value().free(), 600);
}

/// Some parts may be within their shares while the others are not.
TEST_P(EscrowTest, AShardHasNoShareWhileTheWholeIsOutOfBounds) {
  for (int i = 0; i < 40; ++i) {
    const bool is_above = i % 2 == 0;
    bus::least = 0;
    bus::most = 1000;
    mapper_.save(Old(1, is_above ? 103 : 897));
    (is_above ? bus::most : bus::least) = is_above ? 100 : 900;
    const int inwards = is_above ? 1 : -1;
    mapper_.apply<&Old::take>(1, inwards);
    mapper_.apply<&Old::take>(1, 5 * inwards);
    EXPECT_THROW(mapper_.apply<&Old::take>(1, -5 * inwards), BoundExceeded);
    EXPECT_EQ(free<Old>(), is_above ? 97 : 903);
    mapper_.erase<Old>(1);
  }
}

// Otherwise the next update would have to add up all shards.
TEST_P(EscrowTest, AShardThatAnUpdateWritesKeepsItsShare) {
  bus::least = 100;
  mapper_.save(Old(1, 300));  // 75 in each shard, less than the whole may be
  const auto expect_shares = [&] {
    for (std::uint16_t shard = 0; shard < 4; ++shard) {
      const detail::RecordKey key = detail::shard_key(kKey, "seats", shard);
      std::string record;
      ASSERT_TRUE(store_->snapshot()->get(key, record));
      EXPECT_EQ(detail::read_tail(key, record).share, detail::share_of({100, 1000}, 4, shard)) << shard;
    }
  };
  mapper_.apply<&Old::take>(1, 1);
  expect_shares();
  mapper_.apply<&Old::take>(1, 150);  // more than one shard holds
  expect_shares();
}

/// Whoever comes too late is told so as cheaply as that can be had, and is in nobody's way.
TEST_P(EscrowTest, ARefusedUpdateWritesNothing) {
  ControlledStore store(*store_);
  Mapper mapper(store, {.combine = false, .compact_every = std::chrono::milliseconds(0)});
  mapper.save(Old(1, 10));
  int commits = 0;
  ControlledStore::Keys written;
  store.open([&](Transaction& transaction, const ControlledStore::Keys& keys) {
    ++commits;
    written.insert(keys.begin(), keys.end());
    return transaction.commit();
  });
  for (const int seats : {11, -991}) {
    EXPECT_THROW(mapper.apply<&Old::take>(1, seats), BoundExceeded);
    EXPECT_THROW(mapper.apply<&Old::set_free>(1, 10 - seats), BoundExceeded);
  }
  EXPECT_EQ(commits, 4) << "what it goes by is validated";
  EXPECT_THAT(written, ::testing::IsEmpty());
  mapper.apply<&Old::take>(1, 10);
  EXPECT_THAT(written, ::testing::SizeIs(4)) << "shared out";
}

/// Whichever shard the update looks at.
TEST_P(EscrowTest, PartsBeyondTheirSharesAreAddedUp) {
  mapper_.save(Old(1, 600));
  for (const std::vector<int>& parts :
       {std::vector{400, 400, 300, -500}, std::vector{-100, -100, -100, 900}}) {
    for (int i = 0; i < 8; ++i) {
      put_parts(parts);
      EXPECT_THROW(mapper_.apply<&Old::take>(1, 601), BoundExceeded);
      mapper_.apply<&Old::take>(1, 600);
      EXPECT_EQ(free<Old>(), 0);
    }
  }
}

TEST_P(EscrowTest, CountsWhatWasWrittenBeforeThePropertyWasSharded) {
  put_unsharded(600);
  EXPECT_EQ(free<Old>(), 600);
  EXPECT_THROW(mapper_.apply<&Old::take>(1, 601), BoundExceeded);
  mapper_.apply<&Old::take>(1, 100);
  EXPECT_EQ(free<Old>(), 500);
  mapper_.apply<&Old::take>(1, 500);
  EXPECT_EQ(free<Old>(), 0) << "counted once";
}

/// Before the first update no shard has a record. An update that its share would admit must still be refused.
TEST_P(EscrowTest, AShardWithoutARecordHasNoShare) {
  put_unsharded(950);
  EXPECT_THROW(mapper_.apply<&Old::take>(1, -51), BoundExceeded);
  mapper_.apply<&Old::take>(1, -50);
  EXPECT_EQ(free<Old>(), 1000);
}

TEST_P(EscrowTest, CountsTheDeltasOfAnEarlierLayout) {
  mapper_.save(Old(1, 600));
  detail::RecordKey delta;
  std::string record;
  delta.set_delta(kKey, "seats");
  detail::encode_bounded_shard(record, 300, 0, std::nullopt);
  put_raw(delta, record);
  put_raw(detail::shard_key(kKey, "seats", 9), record);
  EXPECT_EQ(free<Old>(), 1200);
  EXPECT_THROW(mapper_.apply<&Old::take>(1, 1201), BoundExceeded);
  mapper_.apply<&Old::take>(1, 1200);
  EXPECT_EQ(free<Old>(), 0);
}

TEST_P(EscrowTest, PartsThatAddUpToNoIntegerAreCorrupt) {
  mapper_.save(Hold(1, 0));
  for (const std::uint16_t shard : {std::uint16_t{0}, std::uint16_t{1}}) {
    std::string record;
    detail::encode_bounded_shard(record, std::numeric_limits<std::int64_t>::max(), 0, std::nullopt);
    put_raw(detail::shard_key(detail::entity_key("Hold", 1), "tons", shard), record);
  }
  EXPECT_THROW(mapper_.apply<&Hold::load>(1, 1), CorruptRecord);
}

TEST_P(EscrowTest, AnUpdateBeyondAllIntegersIsRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  mapper_.save(Hold(1, kMost - 10));
  EXPECT_THROW(mapper_.apply<&Hold::load>(1, kMost), BoundExceeded);
  mapper_.apply<&Hold::load>(1, 10);
  EXPECT_THROW(mapper_.apply<&Hold::load>(1, 1), BoundExceeded);
  EXPECT_EQ(mapper_.load<Hold>(1).value().tons(), kMost);
}

TEST_P(EscrowTest, ARefusalThatTheStoreCannotValidateIsNone) {
  ControlledStore store(*store_);
  Mapper mapper(store, {.compact_every = std::chrono::milliseconds(0)});
  mapper.save(Old(1, 10));
  store.open(
      [](Transaction&, const ControlledStore::Keys&) -> CommitOutcome { throw StoreUnavailable("full"); });
  EXPECT_THROW(mapper.apply<&Old::take>(1, 11), StoreUnavailable);
  store.open();
  EXPECT_THROW(mapper.apply<&Old::take>(1, 11), BoundExceeded);
}

/// All three together are no `int`, which the sanitizer for undefined behaviour would tell of.
TEST_P(EscrowTest, UpdatesThatNobodyCanMakeAreNotAddedUp) {
  ControlledStore slow(*store_);
  Mapper mapper(slow);
  mapper.save(Old(1, 10));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Old::take>(1, 1); });
  slow.wait_for_commit(before + 1);
  std::vector<Completion> greedy;
  for (int i = 0; i < 3; ++i) greedy.push_back(mapper.apply_async<&Old::take>(1, 2'000'000'000));
  Completion modest = mapper.apply_async<&Old::take>(1, 2);
  slow.open();
  first.join();
  for (Completion& each : greedy) EXPECT_THROW(each.get(), BoundExceeded);
  modest.get();
  EXPECT_EQ(free<Old>(), 7);
}

/// To apply it again would not help.
TEST_P(EscrowTest, ATransactionSaysWhatABoundRefused) {
  mapper_.save(Old(1, 10));
  EXPECT_THAT(
      [&] { mapper_.transact([](EntityTransaction& transaction) { transaction.apply<&Old::take>(1, 11); }); },
      ::testing::ThrowsMessage<OutcomeUnknown>(::testing::AllOf(
          ::testing::HasSubstr("a bound refused the updates"), ::testing::HasSubstr("seats is 10"),
          ::testing::Not(::testing::HasSubstr("missing")))));
  EXPECT_EQ(free<Old>(), 10);
}

}  // namespace
}  // namespace autoshard::test
