#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "chart.h"
#include "latencies.h"
#include "plot.h"
#include "rows.h"
#include "timeline.h"

namespace autoshard::bench {
namespace {

using std::chrono::nanoseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

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

TEST(Chart, NumbersAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999.4), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567.8), "1,234,568");
  EXPECT_EQ(grouped(-1234), "-1,234");
}

TEST(Chart, DurationsHaveAUnitThatSuits) {
  EXPECT_EQ(duration(0.25), "0.25 us");
  EXPECT_EQ(duration(999.4), "999 us");
  EXPECT_EQ(duration(999.6), "1 ms");
  EXPECT_EQ(duration(12345), "12.3 ms");
  EXPECT_EQ(duration(2.5e6), "2.5 s");
}

TEST(Chart, BarsAreAsLongAsTheirValues) {
  const std::string drawn =
      svg({.title = "A < B & C",
           .subtitle = "",
           .unit = "/s",
           .bars = {{.name = "autoshard", .note = "", .value = 100, .value_note = "", .own = true},
                    {.name = "peer-a", .note = "", .value = 50, .value_note = "", .own = false},
                    {.name = "peer-b", .note = "", .value = 0, .value_note = "", .own = false}},
           .footer = ""});
  EXPECT_THAT(drawn, HasSubstr("width=\"326\" height=\"22\" rx=\"2\" fill=\"#1f7ad1\""));
  EXPECT_THAT(drawn, HasSubstr("width=\"163\" height=\"22\" rx=\"2\" fill=\"#b6bec7\""));
  EXPECT_THAT(drawn, HasSubstr("width=\"2\" height=\"22\" rx=\"2\" fill=\"#b6bec7\""));
  EXPECT_THAT(drawn, HasSubstr("A &lt; B &amp; C"));
  EXPECT_THAT(drawn, Not(HasSubstr("A < B")));
}

TEST(Timeline, DrawsEachValueUntilTheNextTime) {
  const std::string drawn = svg(Timeline{.title = "A < B",
                                         .subtitle = "",
                                         .seconds = {0, 1, 2},
                                         .panels = {{"shards", {{"one", {1, 5, 5}}, {"other", {0, 0, 2.5}}}}},
                                         .footer = ""});
  // From 84 to 836, and from 210 at 0 to 100 at 5.
  EXPECT_THAT(drawn, HasSubstr("points=\"84.0,188.0 460.0,188.0 460.0,100.0 836.0,100.0 "));
  EXPECT_THAT(drawn, HasSubstr("points=\"84.0,210.0 460.0,210.0 460.0,210.0 836.0,210.0 836.0,155.0 "));
  EXPECT_THAT(drawn, HasSubstr(">other</text>"));
  EXPECT_THAT(drawn, HasSubstr(">5</text>"));
  EXPECT_THAT(drawn, HasSubstr("A &lt; B"));
}

TEST(Plot, DrawsToLogarithmicScales) {
  const std::string drawn = svg(
      Plot{.title = "A < B",
           .subtitle = "",
           .diagrams = {{"loads", {{"static", {{1, 10}, {10, 100}, {100, 1'000}}}, {"cached", {{10, 100}}}}}},
           .footer = ""});
  // From 88 at 1 to 320 at 100, and from 328 at 10 to 108 at 1,000.
  EXPECT_THAT(drawn, HasSubstr("points=\"88.0,328.0 204.0,218.0 320.0,108.0 \""));
  EXPECT_THAT(drawn, HasSubstr("points=\"204.0,218.0 \""));
  EXPECT_THAT(drawn, HasSubstr(">cached</text>"));
  EXPECT_THAT(drawn, HasSubstr(">1 ms</text>"));
  EXPECT_THAT(drawn, HasSubstr("A &lt; B"));
}

TEST(Plot, WritesLargeNumbersInShort) {
  const std::string drawn = svg(Plot{.title = "",
                                     .subtitle = "",
                                     .diagrams = {{"loads", {{"static", {{100'000, 1}, {10'000'000, 2}}}}}},
                                     .footer = ""});
  EXPECT_THAT(drawn, HasSubstr(">100,000</text>"));
  EXPECT_THAT(drawn, HasSubstr(">10 M</text>"));
}

TEST(Rows, TellOfWhatIsLost) {
  EXPECT_NO_THROW(
      check_nothing_lost({{"autoshard", {{"lost", 0.0}}}, {"peer-x", {{"lost", 3.0}}}, {"autoshard-y", {}}}));
  EXPECT_THAT(
      [] {
        check_nothing_lost({{"autoshard", {{"lost", 0.0}}}, {"autoshard-async", {{"lost", 3.0}}}});
      },
      ThrowsMessage<std::runtime_error>(HasSubstr("autoshard-async LOST 3")));
  EXPECT_THROW(check_nothing_lost({{"autoshard", {{"lost", -1.0}}}}), std::runtime_error);
}

}  // namespace
}  // namespace autoshard::bench
