#include <autoshard/retry.h>
#include <gtest/gtest.h>

namespace autoshard {
namespace {

using namespace std::chrono_literals;

TEST(RetryPolicy, BacksOffTwiceAsLongEveryTimeUpToALimit) {
  const RetryPolicy policy{.initial_backoff = 100us, .max_backoff = 1ms};
  EXPECT_EQ(policy.backoff_bound(1), 100us);
  EXPECT_EQ(policy.backoff_bound(2), 200us);
  EXPECT_EQ(policy.backoff_bound(4), 800us);
  EXPECT_EQ(policy.backoff_bound(5), 1ms);
  EXPECT_EQ(policy.backoff_bound(RetryPolicy::kUnlimited), 1ms);
}

TEST(RetryPolicy, HoldsWithExtremeTimes) {
  const RetryPolicy longest{.initial_backoff = 1us, .max_backoff = std::chrono::microseconds::max()};
  EXPECT_EQ(longest.backoff_bound(1000), std::chrono::microseconds::max());
  const RetryPolicy at_once{.initial_backoff = 0us, .max_backoff = 0us};
  EXPECT_EQ(at_once.backoff_bound(1000), 0us);
  const RetryPolicy inverted{.initial_backoff = 5us, .max_backoff = 1us};
  EXPECT_EQ(inverted.backoff_bound(1), 1us);
}

TEST(RetryPolicy, NoneMeansOneAttempt) { EXPECT_EQ(RetryPolicy::none().max_attempts, 1u); }

}  // namespace
}  // namespace autoshard
