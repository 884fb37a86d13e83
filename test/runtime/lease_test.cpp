#include "lease.h"

#include <gtest/gtest.h>

#include "keys.h"
#include "test_store.h"

namespace autoshard::test {
namespace {

using detail::Lease;
using namespace std::chrono_literals;

class LeaseTest : public StoreTest {
 protected:
  Lease lease() {
    return {*store_, "test", 100ms, [this] { return now_; }};
  }

  std::int64_t now_ = 1'000'000;
};

TEST_P(LeaseTest, IsHadByOneAtATime) {
  Lease one = lease(), other = lease();
  EXPECT_TRUE(one.take());
  EXPECT_FALSE(other.take());
  EXPECT_TRUE(one.take()) << "it is prolonged";
  one.give_up();
  EXPECT_TRUE(other.take());
  EXPECT_FALSE(one.take());
}

TEST_P(LeaseTest, EndsWithItsTerm) {
  Lease one = lease(), other = lease();
  ASSERT_TRUE(one.take());
  now_ += 99;
  EXPECT_FALSE(other.take());
  ASSERT_TRUE(one.take());
  now_ += 99;
  EXPECT_FALSE(other.take()) << "it was prolonged";
  now_ += 1;
  EXPECT_TRUE(other.take());
  one.give_up();
  EXPECT_FALSE(one.take()) << "what is another's cannot be given up";
}

TEST_P(LeaseTest, LeavesNothingBehind) {
  { ASSERT_TRUE(lease().take()); }
  EXPECT_TRUE(records(*store_).empty());
}

TEST_P(LeaseTest, IsNobodysIfAClockWasWrongOrItsRecordIs) {
  Lease one = lease(), other = lease();
  ASSERT_TRUE(one.take());
  now_ -= 1000;
  EXPECT_TRUE(other.take()) << "it would last for more than a term";
  const auto transaction = store_->begin();
  transaction->put(detail::lease_key("test"), "nonsense");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_TRUE(one.take());
}

INSTANTIATE_TEST_SUITE_P(Stores, LeaseTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
