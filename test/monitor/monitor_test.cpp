/// Tests the monitor over HTTP.

#include <autoshard/monitor.h>
#include <gmock/gmock.h>
#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "monitor/load.h"
#include "monitor/prometheus_parser.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const MonitorOptions kByHand{.port = 0, .interval = 0ms};

class MonitorTest : public testing::Test {
 protected:
  httplib::Result get(const std::string& path, const httplib::Headers& headers = {}) {
    return httplib::Client("127.0.0.1", monitor_.port()).Get(path, headers);
  }
  std::string text(const std::string& path) {
    const httplib::Result answer = get(path);
    EXPECT_TRUE(answer && answer->status == 200) << path;
    return answer ? answer->body : "";
  }

  Load load_;
  Monitor monitor_{load_.watched(), kByHand};
};

TEST_F(MonitorTest, ServesMetricsThatPrometheusReads) {
  for (int i = 0; i < 3; ++i) load_.race<&Flight::rate>(7, 1);
  monitor_.sample();
  EXPECT_EQ(get("/metrics")->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const PrometheusText metrics = parse_prometheus(text("/metrics"));
  const Metrics expected = admin::metrics(load_.watched());
  EXPECT_EQ(metrics.value("autoshard_updates_total"), static_cast<double>(expected.updates));
  EXPECT_EQ(metrics.value("autoshard_saves_total"), static_cast<double>(expected.saves));
  EXPECT_GT(metrics.value("autoshard_conflicts_total"), 0);
  EXPECT_EQ(metrics.value("autoshard_commit_seconds_count"),
            static_cast<double>(expected.commits + expected.conflicts));
  EXPECT_EQ(metrics.value("autoshard_property_shards", {{"entity", "Flight 7"}, {"property", "score"}}), 4);
}

TEST_F(MonitorTest, ServesTheHistoryWithAdvice) {
  for (int i = 0; i < 20; ++i) load_.save(3);
  monitor_.sample();
  const json hot = json::parse(text("/hot.json"));
  EXPECT_EQ(hot["times"].size(), 1u);
  ASSERT_FALSE(hot["advice"].empty());
  EXPECT_EQ(hot["advice"][0]["entity"], "Flight 3");
  EXPECT_EQ(hot["advice"][0]["property"], "to");
  EXPECT_THAT(hot["advice"][0]["annotation"].get<std::string>(), HasSubstr("[[autoshard::shardable"));
  monitor_.sample();
  EXPECT_EQ(json::parse(text("/hot.json?after=1"))["first"], 1);
  EXPECT_EQ(json::parse(text("/hot.json?columns=1"))["times"].size(), 1u);
  EXPECT_EQ(json::parse(text("/hot.json?after=x&columns=-1"))["times"].size(), 2u) << "as without them";
  EXPECT_EQ(json::parse(text("/hot.json?resolution=minute"))["resolution"], "minute");
}

TEST_F(MonitorTest, ServesThePageAndAFileToKeep) {
  const httplib::Result page = get("/");
  ASSERT_TRUE(page);
  EXPECT_THAT(page->body, HasSubstr("<title>AutoShard monitor</title>"));
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(page->body, HasSubstr("type=\"application/json\">null</script>"));
  for (const char* foreign : {"src=", "https://", "@import", "url("})
    EXPECT_THAT(page->body, Not(HasSubstr(foreign)));

  load_.spread();
  monitor_.sample();
  const std::string kept = text("/snapshot.html");
  const std::string begin = "type=\"application/json\">";
  const std::size_t from = kept.find(begin) + begin.size();
  const json data = json::parse(kept.substr(from, kept.find("</script>", from) - from));
  EXPECT_EQ(data["second"]["times"].size(), 1u);
  EXPECT_EQ(data["minute"]["resolution"], "minute");
}

TEST_F(MonitorTest, TellsThatItIsHealthy) {
  EXPECT_EQ(text("/healthz"), "ok\n");
  EXPECT_EQ(get("/nothing")->status, 404);
}

TEST_F(MonitorTest, AnswersNoPageOfAnotherSite) {
  EXPECT_EQ(get("/hot.json", {{"Host", "evil.example:80"}})->status, 403);
  EXPECT_EQ(get("/hot.json", {{"Host", "127.0.0.1.evil.example"}})->status, 403);
  EXPECT_EQ(get("/hot.json", {{"Host", "localhost:" + std::to_string(monitor_.port())}})->status, 200);
  EXPECT_EQ(get("/hot.json", {{"Host", "[::1]:80"}})->status, 200);
}

TEST_F(MonitorTest, ChangesNothing) {
  httplib::Client client("127.0.0.1", monitor_.port());
  for (const char* path : {"/", "/metrics", "/hot.json", "/compact"})
    EXPECT_EQ(client.Post(path, "x", "text/plain")->status, 404) << path;
}

TEST_F(MonitorTest, SaysThatAnotherProgramHasThePort) {
  Load other;
  try {
    Monitor second(other.watched(), {.port = monitor_.port(), .interval = 0ms});
    FAIL() << "two monitors share a port";
  } catch (const MonitorUnavailable& error) {
    EXPECT_EQ(error.what(), "a monitor cannot listen on 127.0.0.1:" + std::to_string(monitor_.port()) +
                                ": another program has the port: choose another one, or 0 for a free one");
  }
  EXPECT_NO_THROW(ActivityObserver(other.watched())) << "it has left the mapper";
}

TEST_F(MonitorTest, SaysThatAnAddressIsNone) {
  Load other;
  EXPECT_THROW(Monitor(other.watched(), {.address = "203.0.113.7", .port = 0}), MonitorUnavailable);
  EXPECT_THROW(Monitor(other.watched(), {.port = 0, .interval = 1ms}), InvalidUse);
  EXPECT_THROW(Monitor(load_.watched(), kByHand), InvalidUse) << "the mapper has one";
}

TEST_F(MonitorTest, HasItsUrl) {
  EXPECT_EQ(monitor_.url(), "http://127.0.0.1:" + std::to_string(monitor_.port()) + '/');
}

std::size_t threads() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                                                std::filesystem::directory_iterator()));
}

TEST(Monitor, SamplesByItselfAndLeavesNoThread) {
  Load load;
  const std::size_t before = threads();
  {
    Monitor monitor(load.watched(), {.port = 0, .interval = 100ms});
    EXPECT_GT(threads(), before);
    httplib::Client client("127.0.0.1", monitor.port());
    client.set_keep_alive(true);
    while (json::parse(client.Get("/hot.json")->body)["times"].size() < 2) std::this_thread::yield();
    EXPECT_EQ(client.Get("/healthz")->status, 200);
  }
  EXPECT_EQ(threads(), before);
}

TEST(Monitor, ListensAgainOnItsPort) {
  Load load;
  std::uint16_t port = 0;
  for (int i = 0; i < 3; ++i) {
    Monitor monitor(load.watched(), {.port = port, .interval = 0ms});
    port = monitor.port();
    EXPECT_EQ(httplib::Client("127.0.0.1", port).Get("/healthz")->status, 200);
  }
}

}  // namespace
}  // namespace autoshard::test
