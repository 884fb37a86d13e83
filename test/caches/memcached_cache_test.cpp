#include <autoshard/errors.h>
#include <autoshard/memcached_cache.h>
#include <gmock/gmock.h>

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "listener.h"
#include "support/memcached_server.h"

namespace autoshard {
namespace {

using namespace std::chrono_literals;
using test::Listener;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MemcachedCacheTest : public testing::Test {
 protected:
  MemcachedOptions options(std::uint16_t port, std::chrono::milliseconds pause) {
    return {.port = port, .timeout = 50ms, .pause = pause, .log = [this](std::string_view line) {
              const std::lock_guard lock(mutex_);
              log_.emplace_back(line);
            }};
  }

  static void expect_nothing(SharedCache& cache) {
    EXPECT_FALSE(cache.get("key"));
    EXPECT_FALSE(cache.put("key", "value", 1h));
    EXPECT_FALSE(cache.put_if("key", "value", 1h, SharedCache::kAbsent));
    EXPECT_FALSE(cache.put_if("key", "value", 1h, 1));
    EXPECT_FALSE(cache.erase("key"));
  }

  std::mutex mutex_;
  std::vector<std::string> log_;
};

TEST_F(MemcachedCacheTest, WithoutAServerIsEmptyAndSaysSoOnce) {
  Listener listener;
  listener.close();
  MemcachedCache cache(options(listener.port(), 0ms));
  for (int i = 0; i < 3; ++i) expect_nothing(cache);
  EXPECT_THAT(log_,
              ElementsAre(HasSubstr("127.0.0.1:" + std::to_string(listener.port()) + " cannot be reached")));
}

TEST_F(MemcachedCacheTest, DoesNotWaitForAServerThatIsSilent) {
  Listener listener;  // it takes connections, and never answers
  MemcachedCache cache(options(listener.port(), 0ms));
  expect_nothing(cache);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("cannot be reached")));
}

TEST_F(MemcachedCacheTest, LeavesAServerAloneForAWhileAfterAFailure) {
  auto server = std::make_unique<test::MemcachedServer>();
  const std::uint16_t port = server->port();
  MemcachedCache patient(options(port, 24h)), hasty(options(port, 0ms));
  EXPECT_TRUE(patient.put("key", "value", 1h));
  server.reset();
  EXPECT_FALSE(patient.get("key"));
  EXPECT_FALSE(hasty.get("key"));
  server = std::make_unique<test::MemcachedServer>(port);
  EXPECT_TRUE(hasty.put("key", "value", 1h));
  EXPECT_FALSE(patient.get("key"));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("cannot be reached"), HasSubstr("cannot be reached"),
                                HasSubstr("can be reached again")));
}

TEST_F(MemcachedCacheTest, ComesBackWithTheServer) {
  auto server = std::make_unique<test::MemcachedServer>();
  const std::uint16_t port = server->port();
  MemcachedCache cache(options(port, 0ms));
  for (int restarts = 0; restarts < 2; ++restarts) {
    EXPECT_TRUE(cache.put("key", "value", 1h));
    EXPECT_TRUE(cache.get("key"));
    server.reset();
    for (int i = 0; i < 3; ++i) expect_nothing(cache);
    server = std::make_unique<test::MemcachedServer>(port);
    EXPECT_FALSE(cache.get("key"));
  }
  EXPECT_THAT(log_, ElementsAre(HasSubstr("cannot be reached"), HasSubstr("can be reached again"),
                                HasSubstr("cannot be reached"), HasSubstr("can be reached again")));
}

TEST_F(MemcachedCacheTest, BearsAServerThatTalksSomethingElse) {
  for (const std::string& answer :
       {std::string("HTTP/1.1 400 Bad Request\r\n\r\n"), std::string("VALUE key 0 1000 1\r\nabc"),
        std::string("VALUE"), std::string("VALUE other 0 1 1\r\nx\r\nEND\r\n"), std::string(2'000, '\0'),
        std::string(5'000, 'x')}) {
    Listener listener;
    MemcachedCache cache(options(listener.port(), 24h));
    std::thread server([&] { listener.answer(answer); });
    EXPECT_FALSE(cache.get("key")) << answer.substr(0, 30);
    server.join();
  }
}

TEST_F(MemcachedCacheTest, DoesNotKeepKeysThatAreTooLong) {
  const test::MemcachedServer server;
  MemcachedCache cache(options(server.port(), 0ms));
  EXPECT_TRUE(cache.put(std::string(240, 'x'), "value", 1h));
  EXPECT_TRUE(cache.get(std::string(240, 'x')));
  EXPECT_FALSE(cache.put(std::string(241, 'x'), "value", 1h));
  EXPECT_FALSE(cache.get(std::string(241, 'x')));
  EXPECT_FALSE(cache.put(std::string(100, ' '), "value", 1h));
  EXPECT_TRUE(cache.get(std::string(240, 'x')));  // the connection is as good as before
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(MemcachedCacheTest, RoundsLifetimesDown) {
  const test::MemcachedServer server;
  MemcachedCache cache(options(server.port(), 0ms));
  EXPECT_FALSE(cache.put("key", "value", 999ms));
  EXPECT_FALSE(cache.get("key"));
}

TEST_F(MemcachedCacheTest, PrefixesKeepApplicationsApart) {
  const test::MemcachedServer server;
  MemcachedCache one({.port = server.port(), .prefix = "one:"}),
      other({.port = server.port(), .prefix = "other:"});
  EXPECT_TRUE(one.put("key", "value", 1h));
  EXPECT_FALSE(other.get("key"));
  EXPECT_THROW(MemcachedCache({.prefix = "a b"}), InvalidUse);
  EXPECT_THROW(MemcachedCache({.prefix = "\n"}), InvalidUse);
  EXPECT_THROW(MemcachedCache({.prefix = std::string(200, 'x')}), InvalidUse);
}

}  // namespace
}  // namespace autoshard
