#include "expired_records.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expiring_record.h"
#include "keys.h"
#include "store_clock.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;

class ExpiryTest : public StoreTest {
 protected:
  void put(std::string_view key, std::int64_t until) {
    std::string record;
    detail::encode_expiring(record, until);
    const auto transaction = store_->begin();
    transaction->put(key, record);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  /// With its end by the clock of the store.
  void put_token(int number, std::int64_t until, std::uint64_t end) {
    std::string record;
    detail::encode_expiring(record, until, end);
    const auto transaction = store_->begin();
    transaction->put(token(number), record);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  void set_store_clock(std::uint64_t time) {
    std::string record;
    detail::StoreClock::encode(record, time);
    const auto transaction = store_->begin();
    transaction->put(detail::store_clock_key(), record);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  static detail::RecordKey token(int number) {
    return detail::token_key(detail::EntityKeyView("entity"), std::to_string(number));
  }
  std::uint64_t remove(Store& store, std::int64_t now) {
    detail::StoreClock clock(store);
    detail::SeenMarks marks;
    detail::ExpiredRecords expiry(store, clock, marks, {now});
    while (expiry.remove_some()) {
    }
    return expiry.removed();
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, ExpiryTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ExpiryTest, RemovesWhatHasExpiredAndNothingElse) {
  put("entity", 0);
  put(detail::lease_key("expirinf"), 0);
  put(detail::lease_key("expirinh"), 0);
  for (int i = 0; i < 10'000; ++i) put(token(i), i);
  EXPECT_EQ(remove(*store_, 8'999), 9'000u);
  EXPECT_EQ(records(*store_).size(), 1'003u);
  EXPECT_EQ(remove(*store_, 8'999), 0u);
  EXPECT_EQ(remove(*store_, 9'999), 1'000u);
}

TEST_P(ExpiryTest, TokensStayIfTheStoreHasLostAnAdvanceOfItsClock) {
  put_token(1, 0, 10);
  set_store_clock(10);
  FaultyStore faulty(*store_);
  const auto lose_at = [&](int nth) {
    faulty.before_begin([this, nth, begun = 0]() mutable {
      if (++begun == nth) set_store_clock(9);
    });
  };
  int steps = 0;
  faulty.before_begin([&] { ++steps; });
  EXPECT_EQ(remove(faulty, 0), 1U);
  ASSERT_GE(steps, 2);
  put_token(1, 0, 10);
  set_store_clock(10);
  lose_at(steps);  // before the transaction that removes
  EXPECT_EQ(remove(faulty, 0), 0U);
  faulty.before_begin({});
  set_store_clock(10);
  EXPECT_EQ(remove(faulty, 0), 1U);
}

TEST_P(ExpiryTest, TokensEndByTheClockOfTheStore) {
  constexpr std::int64_t kFarAhead = std::int64_t{1} << 50;
  put_token(1, 0, 10);
  put_token(2, kFarAhead, 20);
  EXPECT_EQ(remove(*store_, kFarAhead), 0u) << "no time has passed for the store";
  set_store_clock(10);
  EXPECT_EQ(remove(*store_, 0), 1u);
  EXPECT_EQ(remove(*store_, kFarAhead), 0u);
  set_store_clock(20);
  EXPECT_EQ(remove(*store_, 0), 1u);
}

TEST_P(ExpiryTest, NeedsTheTimeOfTheStoreForTokensAlone) {
  put(detail::lease_key("expiring"), 100);
  FaultyStore faulty(*store_);
  int begun = 0;
  faulty.before_begin([&] { ++begun; });
  EXPECT_EQ(remove(faulty, 10), 0u);
  const int for_leases = begun;
  put_token(1, 0, 10);
  EXPECT_EQ(remove(faulty, 10), 0u);
  EXPECT_EQ(begun, 2 * for_leases + 1);
}

TEST_P(ExpiryTest, TokensOfEarlierVersionsEndByTheClockOfTheMachine) {
  put(token(1), 10);
  set_store_clock(std::uint64_t{1} << 50);
  EXPECT_EQ(remove(*store_, 9), 0u);
  EXPECT_EQ(remove(*store_, 10), 1u);
}

TEST_P(ExpiryTest, LeavesWhatIsUsedMeanwhile) {
  put(token(1), 1);
  FaultyStore faulty(*store_);
  faulty.before_commit([&](int) {
    put(token(1), 5);
    return Fate::kCommits;
  });
  EXPECT_EQ(remove(faulty, 2), 0u);
  EXPECT_EQ(remove(*store_, 4), 0u);
  EXPECT_EQ(remove(*store_, 5), 1u);
}

/// Between the look at them and the transaction that removes them.
TEST_P(ExpiryTest, LooksAgainBeforeItRemoves) {
  put(token(1), 1);
  put(token(2), 1);
  put(token(3), 1);
  FaultyStore faulty(*store_);
  faulty.before_get([&, reads = 0]() mutable {
    if (++reads != 1) return;
    put(token(1), 5);
    const auto transaction = store_->begin();
    transaction->erase(token(2));
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  });
  EXPECT_EQ(remove(faulty, 2), 1u);
  EXPECT_EQ(remove(*store_, 5), 1u) << "the one that was used";
}

TEST_P(ExpiryTest, LeavesWhatItCannotRead) {
  const auto transaction = store_->begin();
  transaction->put(token(1), "nonsense");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  put(token(2), 1);
  EXPECT_EQ(remove(*store_, 1), 1u);
  EXPECT_EQ(records(*store_).size(), 1u);
}

// Of more than it can remember it still removes all, a part at a time.
TEST(SeenMarks, AreNotTooManyToBeRemoved) {
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  constexpr std::size_t kMarks = detail::SeenMarks::kMost + 10;
  std::size_t left = kMarks;
  for (int look = 0; look < 3; ++look, now += detail::SeenMarks::kWhile) {
    const std::size_t before = std::exchange(left, 0);
    for (std::size_t mark = kMarks - before; mark < kMarks; ++mark) {
      if (seen.has_stayed(detail::writer_key(mark), "mark")) {
        seen.forget(detail::writer_key(mark));
      } else {
        ++left;
      }
    }
  }
  EXPECT_EQ(left, 0U);
}

// Those that their writers have removed meanwhile are not looked at any more.
TEST(SeenMarks, ForgetWhatIsThereNoMore) {
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  for (std::size_t mark = 0; mark < detail::SeenMarks::kMost; ++mark)
    EXPECT_FALSE(seen.has_stayed(detail::writer_key(mark), "mark"));
  now += detail::kMarkLifetime;
  EXPECT_FALSE(seen.has_stayed("another", "mark"));
  now += detail::SeenMarks::kWhile;
  EXPECT_TRUE(seen.has_stayed("another", "mark"));
}

}  // namespace
}  // namespace autoshard::test
