#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "latencies.h"

namespace autoshard::bench {
namespace {

using std::chrono::nanoseconds;

TEST(Latencies, NoneHaveQuantileZero) { EXPECT_EQ(Latencies().quantile(0.5), 0); }

TEST(Latencies, OneIsEveryQuantile) {
  for (std::int64_t value : {0L, 1L, 63L, 64L, 65L, 1000L, 123'456'789L, 1L << 40, (1L << 62) + 5}) {
    Latencies latencies;
    latencies.add(nanoseconds(value));
    const double microseconds = static_cast<double>(value) / 1000;
    for (double share : {0.0, 0.5, 0.99, 1.0})
      EXPECT_NEAR(latencies.quantile(share), microseconds, microseconds * 0.016) << value;
  }
}

TEST(Latencies, ANegativeOneCountsAsZero) {
  Latencies latencies;
  latencies.add(nanoseconds(-5));
  EXPECT_EQ(latencies.count(), 1u);
  EXPECT_EQ(latencies.quantile(1), 0);
}

TEST(Latencies, QuantilesAreThoseOfTheSortedValues) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 generator(seed);
  std::lognormal_distribution<double> distribution(11, 2);
  std::vector<double> values;
  Latencies some, others;
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<std::int64_t>(distribution(generator));
    values.push_back(static_cast<double>(value) / 1000);
    (i % 3 == 0 ? some : others).add(nanoseconds(value));
  }
  some.add(others);
  std::sort(values.begin(), values.end());
  ASSERT_EQ(some.count(), values.size());
  for (double share : {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const double exact = values[static_cast<std::size_t>(std::ceil(share * 10'000)) - 1];
    EXPECT_NEAR(some.quantile(share), exact, exact * 0.016 + 0.0005) << share;
  }
}

}  // namespace
}  // namespace autoshard::bench
