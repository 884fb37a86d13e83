#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "support/faulty_store.h"
#include "support/memcached_server.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using testing::Contains;
using testing::HasSubstr;

/// Three processes that get into each other's way, and share a memcached. In one thread.
class AdaptiveOverMemcachedTest : public testing::Test {
 protected:
  static constexpr int kProcesses = 3;

  AdaptiveOverMemcachedTest() {
    for (int i = 0; i < kProcesses; ++i) {
      caches_.push_back(
          std::make_unique<MemcachedCache>(MemcachedOptions{.port = port_, .timeout = 5s, .pause = 0ms}));
      mappers_.push_back(std::make_unique<Mapper>(
          store_, MapperOptions{.adaptive = {.window = 0ms},
                                .cache = caches_.back().get(),
                                .log = [this](std::string_view line) { log_.emplace_back(line); }}));
      admin::adapt(*mappers_.back(), now_);
    }
    for (int flight = 0; flight < 4; ++flight) mappers_.front()->save(Flight(flight));
  }

  /// The number of shards after some windows of conflicts on a flight.
  std::uint32_t shards_after_conflicts(int flight) {
    constexpr int kWindows = 8;
    for (int window = 0; window < kWindows; ++window) {
      for (int i = 0; i < 20; ++i) {
        store_.before_commit([&](int nth) {
          if (nth < kProcesses) mappers_[static_cast<std::size_t>(nth)]->apply<&Flight::view>(flight);
          return Fate::kCommits;
        });
        mappers_[0]->apply<&Flight::view>(flight);
        store_.before_commit(nullptr);
      }
      now_ += 1s;
      for (const auto& mapper : mappers_) admin::adapt(*mapper, now_);
    }
    EXPECT_EQ(mappers_[0]->load<Flight>(flight)->views(), kWindows * 20 * kProcesses);
    return admin::shards<Flight>(*mappers_[0], flight, "views");
  }

  std::unique_ptr<MemcachedServer> server_ = std::make_unique<MemcachedServer>();
  const std::uint16_t port_ = server_->port();
  MemoryStore memory_;
  FaultyStore store_{memory_};
  std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now() + 1s;
  std::vector<std::string> log_;
  std::vector<std::unique_ptr<MemcachedCache>> caches_;
  std::vector<std::unique_ptr<Mapper>> mappers_;
};

TEST_F(AdaptiveOverMemcachedTest, TheNumberFollowsWhileThereIsAServerThatMakesSense) {
  EXPECT_EQ(shards_after_conflicts(0), 3u);
  server_.reset();
  EXPECT_EQ(shards_after_conflicts(1), 2u) << "conflicts tell of one other";
  EXPECT_THAT(log_, Contains(HasSubstr("follow the load of this process alone")).Times(kProcesses));
  server_ = std::make_unique<MemcachedServer>(port_);
  EXPECT_EQ(shards_after_conflicts(2), 3u);
  EXPECT_TRUE(caches_[0]->put("usage", "nonsense", 1h));
  EXPECT_EQ(shards_after_conflicts(3), 3u);
  EXPECT_THAT(log_, Contains(HasSubstr("a foreign value under a key for statistics")));
}

}  // namespace
}  // namespace autoshard::test
