#include "prometheus.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "monitor/prometheus_parser.h"

namespace autoshard::test {
namespace {

using monitor::prometheus_text;

Metrics some_metrics() {
  Metrics metrics;
  metrics.commits = 7;
  metrics.conflicts = 2;
  metrics.commit_seconds = {.bounds = {0.001, 0.5}, .counts = {3, 2, 1}, .sum = 1.75};
  metrics.batch_updates = {.bounds = {1}, .counts = {4, 0}, .sum = 4};
  metrics.cache_hits = 5;
  metrics.compaction_lag_seconds = 0.25;
  return metrics;
}

TEST(PrometheusText, HasEachMetricWithItsValue) {
  const PrometheusText text = parse_prometheus(prometheus_text(some_metrics(), {}));
  EXPECT_EQ(text.value("autoshard_commits_total"), 7);
  EXPECT_EQ(text.value("autoshard_conflicts_total"), 2);
  EXPECT_EQ(text.value("autoshard_compaction_lag_seconds"), 0.25);
  EXPECT_EQ(text.value("autoshard_cached_loads_total", {{"cache", "process"}, {"result", "hit"}}), 5);
  EXPECT_EQ(text.value("autoshard_cached_loads_total", {{"cache", "shared"}, {"result", "miss"}}), 0);
}

TEST(PrometheusText, HasHistogramsWhoseBucketsAddUp) {
  const PrometheusText text = parse_prometheus(prometheus_text(some_metrics(), {}));
  EXPECT_EQ(text.value("autoshard_commit_seconds_bucket", {{"le", "0.001"}}), 3);
  EXPECT_EQ(text.value("autoshard_commit_seconds_bucket", {{"le", "0.5"}}), 5);
  EXPECT_EQ(text.value("autoshard_commit_seconds_bucket", {{"le", "+Inf"}}), 6);
  EXPECT_EQ(text.value("autoshard_commit_seconds_count"), 6);
  EXPECT_EQ(text.value("autoshard_commit_seconds_sum"), 1.75);
}

TEST(PrometheusText, LeavesOutALagThatIsNotKnown) {
  Metrics metrics = some_metrics();
  EXPECT_FALSE(
      parse_prometheus(prometheus_text(metrics, {})).families.contains("autoshard_refresh_lag_seconds"));
  metrics.refresh_lag_seconds = 3;
  EXPECT_EQ(parse_prometheus(prometheus_text(metrics, {})).value("autoshard_refresh_lag_seconds"), 3);
}

TEST(PrometheusText, EscapesLabels) {
  const std::vector<PropertyActivity> hottest = {
      {.entity = "User \"a\\b\"\nc", .property = "votes", .shards = 4, .updates = 1.5, .conflicts = 0.5}};
  const PrometheusText text = parse_prometheus(prometheus_text({}, hottest));
  const std::map<std::string, std::string> labels = {{"entity", "User \"a\\b\"\nc"}, {"property", "votes"}};
  EXPECT_EQ(text.value("autoshard_property_updates_per_second", labels), 1.5);
  EXPECT_EQ(text.value("autoshard_property_conflicts_per_second", labels), 0.5);
  EXPECT_EQ(text.value("autoshard_property_shards", labels), 4);
}

TEST(PrometheusText, HasOnlyUtf8) {
  EXPECT_EQ(monitor::quoted_label("Zo\u00EB \xFF"), "\"Zo\u00EB \uFFFD\"");
}

/// The parser would be no test if it took everything.
TEST(PrometheusParser, RefusesWhatTheFormatDoesNotAllow) {
  const std::string head = "# HELP a_total h\n# TYPE a_total counter\n";
  EXPECT_EQ(parse_prometheus(head + "a_total 1\n").value("a_total"), 1);
  const std::string histogram = "# HELP h x\n# TYPE h histogram\n";
  for (const std::string& text : std::vector<std::string>{
           "a_total 1\n", head + "a_total 1", head + "a_total x\n", head + "a_total -1\n",
           head + "b_total 1\n", head + "a_total 1\na_total 1\n", head + "a_total{x=\"1\",x=\"2\"} 1\n",
           head + "a_total{x=\"\\q\"} 1\n", head + "a_total{x=\"1} 1\n", head + head,
           "# TYPE a_total counter\na_total 1\n", "# HELP a h\n# TYPE a counter\na 1\n", "# HELP a h\na 1\n",
           histogram + "h_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
           histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
           histogram + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n"})
    EXPECT_THROW(parse_prometheus(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace autoshard::test
