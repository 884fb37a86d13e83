#include "lease.h"

#include <gtest/gtest.h>

#include "controlled_store.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using detail::Lease;
using namespace std::chrono_literals;

/// Two who want it, each with a clock that shows what it likes.
class LeaseTest : public StoreTest {
 protected:
  Lease lease(Lease::Time& clock) {
    return {*store_, "test", 100ms, [&clock] { return clock; }};
  }
  void pass(std::chrono::milliseconds time) {
    ones_clock_ += time;
    others_clock_ += time;
  }

  Lease::Time ones_clock_{}, others_clock_ = Lease::Time(24h);
  Lease one_ = lease(ones_clock_), other_ = lease(others_clock_);
};

TEST_P(LeaseTest, IsHadByOneAtATime) {
  EXPECT_TRUE(one_.take());
  EXPECT_FALSE(other_.take());
  EXPECT_TRUE(one_.take());
  one_.give_up();
  EXPECT_TRUE(other_.take());
  EXPECT_FALSE(one_.take());
}

TEST_P(LeaseTest, IsKeptByWhoProlongsItWhateverTheClocksShow) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(one_.take());
    EXPECT_FALSE(other_.take());
    pass(49ms);
    EXPECT_FALSE(other_.take());
    pass(49ms);
    EXPECT_FALSE(other_.take());
  }
}

TEST_P(LeaseTest, IsTakenFromWhoDoesNotProlongItForATerm) {
  ASSERT_TRUE(one_.take());
  pass(1h);
  EXPECT_FALSE(other_.take()) << "it may just have been prolonged";
  pass(99ms);
  EXPECT_FALSE(other_.take());
  pass(1ms);
  EXPECT_TRUE(other_.take());
  EXPECT_FALSE(one_.take()) << "it has found out";
  one_.give_up();
  EXPECT_FALSE(one_.take()) << "what is another's cannot be given up";
}

TEST_P(LeaseTest, IsNotTakenBecauseToReadOfItTookLong) {
  FaultyStore slow(*store_);
  Lease other(slow, "test", 100ms, [this] { return others_clock_; });
  slow.before_get([&] {
    pass(110ms);
    EXPECT_TRUE(one_.take());
  });
  EXPECT_FALSE(other.take()) << "it was prolonged after that began";
  slow.before_get([] {});
  pass(49ms);
  EXPECT_FALSE(other.take());
  EXPECT_TRUE(one_.take());
  pass(51ms);
  EXPECT_TRUE(other.take());
}

TEST_P(LeaseTest, IsNotGivenUpByAHolderThatHasLostIt) {
  ASSERT_TRUE(one_.take());
  EXPECT_FALSE(other_.take());
  pass(100ms);
  ASSERT_TRUE(other_.take());
  one_.give_up();
  EXPECT_FALSE(one_.take());
}

TEST_P(LeaseTest, LeavesNothingBehind) {
  { ASSERT_TRUE(lease(ones_clock_).take()); }
  EXPECT_TRUE(records(*store_).empty());
}

TEST_P(LeaseTest, NonsenseLastsForATerm) {
  const auto transaction = store_->begin();
  transaction->put(detail::lease_key("test"), "nonsense");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_FALSE(one_.take());
  pass(100ms);
  EXPECT_TRUE(one_.take());
}

TEST_P(LeaseTest, IsHadByOneOfTwoThatTakeItAtTheSameTime) {
  ControlledStore store_control(*store_);
  Lease late(store_control, "test", 100ms, [this] { return ones_clock_; });
  store_control.open([&](Transaction& transaction, const ControlledStore::Keys&) {
    EXPECT_TRUE(other_.take());
    return transaction.commit();
  });
  EXPECT_FALSE(late.take());
  store_control.open();
  EXPECT_FALSE(late.take());
  other_.give_up();
  EXPECT_TRUE(late.take());
}

/// Nobody knows whether it was taken, until the next time.
TEST_P(LeaseTest, IsNotHadWhereThatCannotBeTold) {
  ControlledStore store_control(*store_);
  Lease unsure(store_control, "test", 100ms, [this] { return ones_clock_; });
  store_control.let_through([](Transaction& transaction, const ControlledStore::Keys&) {
    EXPECT_EQ(transaction.commit(), CommitOutcome::kCommitted);
    return CommitOutcome::kUnknown;
  });
  EXPECT_FALSE(unsure.take());
  EXPECT_FALSE(other_.take());
  EXPECT_TRUE(unsure.take()) << "it is its own";
}

TEST_P(LeaseTest, IsHeldOnByAHolderWhoseRenewalFailed) {
  FaultyStore faulty(*store_);
  Lease one(faulty, "test", 100ms, [this] { return ones_clock_; });
  ASSERT_TRUE(one.take());
  for (const Fate fate : {Fate::kCrashes, Fate::kUnknownLost, Fate::kUnknownDone}) {
    pass(60ms);
    faulty.before_commit([&](int nth) { return nth == 1 ? fate : Fate::kCommits; });
    if (fate == Fate::kCrashes) {
      EXPECT_THROW(one.take(), StoreUnavailable);
    } else {
      EXPECT_FALSE(one.take());
    }
    EXPECT_TRUE(one.take());
    EXPECT_FALSE(other_.take());
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, LeaseTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
