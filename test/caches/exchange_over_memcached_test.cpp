#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "exchange.h"
#include "support/memcached_server.h"

namespace autoshard::detail {
namespace {

using namespace std::chrono_literals;

Window window(double puts) {
  Window window;
  window[{EntityKey(std::string("a\0\xFF", 3)), "votes"}] = {.shards = 2, .writers = 1, .puts = puts};
  return window;
}

/// What all processes have put, as one sees it.
double puts(const Exchange::Shared& shared) { return shared.all.begin()->second.puts; }

TEST(ExchangeOverMemcached, OutlivesTheServer) {
  auto server = std::make_unique<test::MemcachedServer>();
  const std::uint16_t port = server->port();
  constexpr int kProcesses = 3;
  std::vector<std::unique_ptr<MemcachedCache>> caches;
  std::vector<std::unique_ptr<Exchange>> processes;
  std::vector<std::string> log;
  for (int i = 0; i < kProcesses; ++i) {
    caches.push_back(
        std::make_unique<MemcachedCache>(MemcachedOptions{.port = port, .timeout = 5s, .pause = 0ms}));
    processes.push_back(std::make_unique<Exchange>(*caches.back(), 1h,
                                                   [&](std::string_view line) { log.emplace_back(line); }));
  }
  for (int restarts = 0; restarts < 3; ++restarts) {
    for (const auto& process : processes) process->share(window(1));
    for (const auto& process : processes) EXPECT_EQ(puts(process->share(window(1))), kProcesses);
    server.reset();
    for (int i = 0; i < 3; ++i) {
      for (const auto& process : processes) EXPECT_EQ(puts(process->share(window(1))), 1);
    }
    server = std::make_unique<test::MemcachedServer>(port);
  }
  EXPECT_EQ(log.size(), kProcesses * (3u + 2u)) << "away three times, and there again twice";
}

}  // namespace
}  // namespace autoshard::detail
