// Loads that processes share through a memcached, in every state that one may be in.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "listener.h"
#include "support/memcached_server.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A memcached, and the key that was put last.
class NotingCache final : public SharedCache {
 public:
  explicit NotingCache(const MemcachedOptions& options) : cache_(options) {}

  std::optional<Found> get(std::string_view key) noexcept override { return cache_.get(key); }
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override {
    last_key = key;
    return cache_.put(key, value, lifetime);
  }
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override {
    return cache_.put_if(key, value, lifetime, version);
  }
  bool erase(std::string_view key) noexcept override { return cache_.erase(key); }

  std::string last_key;

 private:
  MemcachedCache cache_;
};

class LoadsOverMemcachedTest : public testing::Test {
 protected:
  LoadsOverMemcachedTest() { outside_.save(Flight(1)); }

  /// Another process, with a connection of its own, that loads the flight.
  int views(std::uint16_t port, std::chrono::milliseconds timeout = 5s) {
    NotingCache cache({.port = port, .timeout = timeout, .pause = 24h});
    Mapper mapper(store_, {.adaptive = {.window = 0ms}, .cache = &cache, .log = [&](std::string_view line) {
                             log_.emplace_back(line);
                           }});
    const int views = mapper.load<Flight>(1, cached{1h, cached::where::shared}).value().views();
    if (!cache.last_key.empty()) key_ = cache.last_key;
    return views;
  }

  MemoryStore store_;
  Mapper outside_{store_};
  std::vector<std::string> log_;
  std::string key_;
};

TEST_F(LoadsOverMemcachedTest, AreSharedWhileThereIsAServerThatMakesSense) {
  auto server = std::make_unique<MemcachedServer>();
  const std::uint16_t port = server->port();
  EXPECT_EQ(views(port), 0);
  outside_.apply<&Flight::view>(1);
  EXPECT_EQ(views(port), 0) << "that is what the first has read";
  server.reset();
  EXPECT_EQ(views(port), 1);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("does not keep Flight 1")));
  log_.clear();

  server = std::make_unique<MemcachedServer>(port);
  EXPECT_EQ(views(port), 1);
  outside_.apply<&Flight::view>(1);
  EXPECT_EQ(views(port), 1);
  EXPECT_THAT(log_, IsEmpty());

  EXPECT_TRUE(MemcachedCache({.port = port, .timeout = 5s}).put(key_, "nonsense", 1h));
  EXPECT_EQ(views(port), 2);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a foreign value under the key of an entity")));
  log_.clear();
  outside_.apply<&Flight::view>(1);
  EXPECT_EQ(views(port), 2) << "which has replaced the nonsense";
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(LoadsOverMemcachedTest, DoNotWaitForAServerThatIsSilent) {
  const Listener listener;  // it takes connections, and never answers
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(views(listener.port(), 50ms), i);
    outside_.apply<&Flight::view>(1);
  }
  EXPECT_THAT(log_, testing::Each(HasSubstr("does not keep Flight 1")));
}

TEST_F(LoadsOverMemcachedTest, BearAnEntityThatIsTooLarge) {
  const MemcachedServer server;
  Flight flight = outside_.load<Flight>(1).value();
  flight.set_to(std::string(std::size_t{8} << 20, 'x'));
  outside_.save(flight);
  EXPECT_EQ(views(server.port()), 0);
  outside_.apply<&Flight::view>(1);
  EXPECT_EQ(views(server.port()), 1);
  EXPECT_THAT(log_, testing::Each(HasSubstr("does not keep Flight 1")));
}

}  // namespace
}  // namespace autoshard::test
