#include <autoshard/memory_cache.h>
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#ifdef AUTOSHARD_TEST_MEMCACHED
#include "support/memcached_server.h"
#endif

namespace autoshard {
namespace {

using namespace std::chrono_literals;

/// What tests need of a cache: the test's view of it, and that of another process.
struct Caches {
  std::unique_ptr<SharedCache> one, other;
  std::shared_ptr<void> server;

  SharedCache& second() { return other ? *other : *one; }
};

struct Kind {
  std::string name;
  Caches (*open)();
  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

std::vector<Kind> kinds() {
  return {
      {"Memory",
       [] {
         return Caches{std::make_unique<MemoryCache>(), nullptr, nullptr};
       }},
#ifdef AUTOSHARD_TEST_MEMCACHED
      {"Memcached",
       [] {
         const auto server = std::make_shared<test::MemcachedServer>();
         const MemcachedOptions options{.port = server->port(), .timeout = 10s};
         return Caches{std::make_unique<MemcachedCache>(options), std::make_unique<MemcachedCache>(options),
                       server};
       }},
#endif
  };
}

class CacheContract : public testing::TestWithParam<Kind> {
 protected:
  std::string value_of(std::string_view key) {
    const auto found = caches_.second().get(key);
    return found ? found->value : "(none)";
  }

  Caches caches_ = GetParam().open();
  SharedCache& cache_ = *caches_.one;
};

INSTANTIATE_TEST_SUITE_P(Caches, CacheContract, testing::ValuesIn(kinds()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(CacheContract, KeepsWhatIsPut) {
  EXPECT_EQ(value_of("key"), "(none)");
  EXPECT_TRUE(cache_.put("key", "value", 1h));
  EXPECT_EQ(value_of("key"), "value");
  EXPECT_TRUE(cache_.put("key", "another", 1h));
  EXPECT_EQ(value_of("key"), "another");
  EXPECT_TRUE(cache_.put("key", "", 1h));
  EXPECT_EQ(value_of("key"), "");
}

TEST_P(CacheContract, TakesAnyBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_TRUE(cache_.put({all.data() + byte, 1}, {all.data(), static_cast<std::size_t>(byte)}, 1h));
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_EQ(value_of({all.data() + byte, 1}), all.substr(0, static_cast<std::size_t>(byte)));
  EXPECT_TRUE(cache_.put("", all + all, 1h));
  EXPECT_EQ(value_of(""), all + all);
}

TEST_P(CacheContract, RemovesWhatIsErased) {
  EXPECT_TRUE(cache_.put("key", "value", 1h));
  EXPECT_TRUE(cache_.erase("key"));
  EXPECT_EQ(value_of("key"), "(none)");
  EXPECT_TRUE(cache_.erase("key"));
}

TEST_P(CacheContract, PutsIfTheVersionIsTheSame) {
  EXPECT_TRUE(cache_.put_if("key", "first", 1h, SharedCache::kAbsent));
  EXPECT_FALSE(cache_.put_if("key", "second", 1h, SharedCache::kAbsent));
  const auto first = cache_.get("key");
  ASSERT_TRUE(first);
  EXPECT_NE(first->version, SharedCache::kAbsent);
  EXPECT_TRUE(caches_.second().put_if("key", "third", 1h, first->version));
  EXPECT_FALSE(cache_.put_if("key", "fourth", 1h, first->version));
  EXPECT_EQ(value_of("key"), "third");
  EXPECT_TRUE(cache_.put("key", "first", 1h));  // the same value, and yet another version
  EXPECT_FALSE(cache_.put_if("key", "fifth", 1h, first->version));
  const auto last = cache_.get("key");
  ASSERT_TRUE(last);
  EXPECT_TRUE(cache_.erase("key"));
  EXPECT_FALSE(cache_.put_if("key", "sixth", 1h, last->version));
  EXPECT_EQ(value_of("key"), "(none)");
}

TEST_P(CacheContract, DoesNotKeepWhatHasNoTimeToLive) {
  EXPECT_FALSE(cache_.put("key", "value", 0ms));
  EXPECT_FALSE(cache_.put("key", "value", -1h));
  EXPECT_FALSE(cache_.put_if("key", "value", -1h, SharedCache::kAbsent));
  EXPECT_EQ(value_of("key"), "(none)");
  EXPECT_TRUE(cache_.put("key", "value", std::chrono::milliseconds::max()));
  EXPECT_EQ(value_of("key"), "value");
}

TEST_P(CacheContract, RefusesWhatIsTooLong) {
  EXPECT_FALSE(cache_.put("key", std::string(std::size_t{64} << 20, 'x'), 1h));
  EXPECT_TRUE(cache_.put("other", "value", 1h));
  EXPECT_EQ(value_of("other"), "value");
}

TEST_P(CacheContract, CountsRightBetweenThreads) {
  constexpr int kThreads = 4, kEach = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int done = 0; done < kEach;) {
        const auto found = cache_.get("count");
        const int count = found ? std::stoi(found->value) : 0;
        if (cache_.put_if("count", std::to_string(count + 1), 1h,
                          found ? found->version : SharedCache::kAbsent))
          ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value_of("count"), std::to_string(kThreads * kEach));
}

TEST(MemoryCache, ForgetsWhenTheTimeIsOver) {
  std::chrono::steady_clock::time_point now{};
  MemoryCache cache(1'000, [&] { return now; });
  EXPECT_TRUE(cache.put("short", "value", 10ms));
  EXPECT_TRUE(cache.put("long", "value", 20ms));
  now += 9ms;
  EXPECT_TRUE(cache.get("short"));
  now += 1ms;
  EXPECT_FALSE(cache.get("short"));
  EXPECT_TRUE(cache.get("long"));
  EXPECT_TRUE(cache.put_if("short", "again", 10ms, SharedCache::kAbsent));
  EXPECT_TRUE(cache.put("long", "value", 20ms));  // and lives longer
  now += 19ms;
  EXPECT_FALSE(cache.get("short"));
  EXPECT_TRUE(cache.get("long"));
}

TEST(MemoryCache, ForgetsWhatWouldGoFirstWhenItIsFull) {
  MemoryCache cache(30);
  EXPECT_TRUE(cache.put("a", "123456789", 2h));
  EXPECT_TRUE(cache.put("b", "123456789", 1h));
  EXPECT_TRUE(cache.put("c", "123456789", 3h));
  EXPECT_TRUE(cache.put("d", "1", 1h));
  EXPECT_FALSE(cache.get("b"));
  for (const char* key : {"a", "c", "d"}) EXPECT_TRUE(cache.get(key)) << key;
  EXPECT_TRUE(cache.put("c", std::string(29, 'x'), 1h));
  for (const char* key : {"a", "d"}) EXPECT_FALSE(cache.get(key)) << key;
  EXPECT_FALSE(cache.put("c", std::string(30, 'x'), 1h));
}

}  // namespace
}  // namespace autoshard
