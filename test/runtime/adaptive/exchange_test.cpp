#include "exchange.h"

#include <autoshard/memory_cache.h>
#include <gmock/gmock.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace autoshard::detail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A cache that does what it is told: forgets all, is away, or lets others come first.
class TroubledCache final : public SharedCache {
 public:
  std::optional<Found> get(std::string_view key) noexcept override {
    ++calls;
    now += takes;
    return away ? std::nullopt : cache.get(key);
  }
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override {
    ++calls;
    return !away && cache.put(key, value, lifetime);
  }
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override {
    ++calls;
    if (losses > 0) {  // somebody else puts the same as there is
      --losses;
      if (const auto found = cache.get(key)) cache.put(key, found->value, 1h);
    }
    return !away && cache.put_if(key, value, lifetime, version);
  }
  bool erase(std::string_view key) noexcept override {
    ++calls;
    return !away && cache.erase(key);
  }

  std::chrono::steady_clock::time_point now{};
  MemoryCache cache{1'000'000, [this] { return now; }};
  bool away = false;
  std::chrono::milliseconds takes{0};  // to look for something
  int losses = 0;
  int calls = 0;
};

class ExchangeTest : public testing::Test {
 protected:
  std::unique_ptr<Exchange> process() {
    return std::make_unique<Exchange>(
        cache_, 3s, [this](std::string_view line) { log_.emplace_back(line); },
        [this] { return cache_.now; });
  }

  static Window window(double puts) {
    Window window;
    window[{EntityKey("a"), "votes"}] = {.shards = 2, .writers = 1, .puts = puts};
    return window;
  }

  static double puts(const Exchange::Shared& shared) { return puts(shared.all); }
  static double puts(const Window& window) { return window.at({EntityKey("a"), "votes"}).puts; }

  TroubledCache cache_;
  std::vector<std::string> log_;
};

TEST_F(ExchangeTest, AddsUpWhatAllProcessesSay) {
  const auto one = process(), two = process(), three = process();
  EXPECT_EQ(puts(one->share(window(1))), 1);
  EXPECT_EQ(puts(two->share(window(10))), 11);
  EXPECT_EQ(puts(three->share(window(100))), 111);
  EXPECT_EQ(puts(one->share(window(2))), 112);
  EXPECT_EQ(puts(two->share(window(20))), 122);
  EXPECT_EQ(one->share({}).all.at({EntityKey("a"), "votes"}).writers, 2u);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ExchangeTest, TellsWhatIsNews) {
  const auto one = process(), two = process();
  two->share(window(10));
  EXPECT_EQ(puts(one->share(window(1)).news), 11);
  EXPECT_EQ(puts(one->share(window(1)).news), 1) << "the other has not said anything meanwhile";
  EXPECT_EQ(puts(one->share(window(1)).all), 11);
  two->share(window(10));
  const Exchange::Shared shared = one->share(window(1));
  EXPECT_EQ(puts(shared.news), 11) << "the same happened again";
  EXPECT_FALSE(shared.is_partial);
  cache_.away = true;
  EXPECT_TRUE(one->share(window(1)).is_partial);
}

TEST_F(ExchangeTest, ForgetsProcessesThatAreGone) {
  const auto one = process(), two = process();
  auto three = process();
  for (Exchange* const process : {one.get(), two.get(), three.get()}) process->share(window(1));
  three->leave();
  EXPECT_EQ(puts(one->share(window(1))), 2);
  cache_.now += 2s;
  EXPECT_EQ(puts(one->share(window(1))), 2);
  cache_.now += 2s;
  EXPECT_EQ(puts(one->share(window(1))), 1);
  cache_.calls = 0;
  EXPECT_EQ(puts(one->share(window(1))), 1);
  EXPECT_EQ(cache_.calls, 2) << "its own window and the list: nobody else is in it";
  EXPECT_EQ(puts(two->share(window(1))), 2) << "it was only slow";
  EXPECT_EQ(puts(one->share(window(1))), 2);
}

TEST_F(ExchangeTest, TriesAgainWhereOthersChangeTheList) {
  const auto one = process(), two = process();
  one->share(window(1));
  cache_.losses = 3;
  two->share(window(1));
  EXPECT_EQ(puts(one->share(window(1))), 2);
  const auto three = process();
  cache_.losses = 1'000;
  EXPECT_EQ(puts(three->share(window(1))), 3);
  EXPECT_EQ(puts(one->share(window(1))), 2) << "not in the list yet";
  cache_.losses = 0;
  three->share(window(1));
  EXPECT_EQ(puts(one->share(window(1))), 3);
}

TEST_F(ExchangeTest, GoesByItsOwnWhileTheCacheIsAwayAndSaysSoOnce) {
  const auto one = process(), two = process();
  one->share(window(1));
  two->share(window(1));
  cache_.away = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(puts(one->share(window(5))), 5);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("follow the load of this process alone")));
  one->leave();
  cache_.away = false;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(puts(one->share(window(5))), 6);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("alone"), HasSubstr("again")));
}

TEST_F(ExchangeTest, RecoversFromACacheThatForgets) {
  const auto one = process(), two = process();
  one->share(window(1));
  two->share(window(1));
  cache_.now += 24h * 31;
  EXPECT_EQ(puts(one->share(window(1))), 1);
  EXPECT_EQ(puts(two->share(window(1))), 2);
  EXPECT_EQ(puts(one->share(window(1))), 2);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ExchangeTest, DoesNotAskAboutAllWhereTheCacheIsSlow) {
  std::vector<std::unique_ptr<Exchange>> processes;
  for (int i = 0; i < 60; ++i) {
    processes.push_back(process());
    processes.back()->share(window(1));
  }
  const auto one = process();
  EXPECT_EQ(puts(one->share(window(1))), 61);
  cache_.takes = 50ms;
  const auto before = cache_.now;
  const Exchange::Shared some = one->share(window(1));
  EXPECT_LE(cache_.now - before, 600ms);
  EXPECT_TRUE(some.is_partial);
  EXPECT_GE(puts(some), 5);
  EXPECT_LE(puts(some), 15);
  cache_.takes = 0ms;
  const Exchange::Shared all = one->share(window(1));
  EXPECT_FALSE(all.is_partial);
  EXPECT_EQ(puts(all), 61) << "nobody is gone because it was not asked about";
}

TEST_F(ExchangeTest, IgnoresNonsenseAndSaysSoOnce) {
  const auto one = process(), two = process();
  one->share(window(1));
  two->share(window(1));
  std::vector<std::string> keys = {"usage"};
  const std::string list = cache_.cache.get("usage")->value;
  for (std::size_t at = 1; at + 16 <= list.size(); at += 17)
    keys.push_back("usage/" + list.substr(at + 1, 16));
  ASSERT_EQ(keys.size(), 3u);

  std::mt19937_64 generator(3);
  for (int i = 0; i < 300; ++i) {
    std::string nonsense(generator() % 40, ' ');
    for (char& byte : nonsense) byte = static_cast<char>(generator());
    for (const std::string& key : keys) cache_.cache.put(key, nonsense, 1h);
    EXPECT_EQ(puts(one->share(window(1))), 1);
  }
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a foreign value")));
  two->share(window(1));
  one->share(window(1));
  EXPECT_EQ(puts(two->share(window(1))), 2);
  EXPECT_EQ(puts(one->share(window(1))), 2);
}

TEST_F(ExchangeTest, CountsAProcessOnceThatIsInTheListTwice) {
  const auto one = process(), two = process();
  two->share(window(1));
  std::string list = cache_.cache.get("usage")->value;
  ++list.front();
  cache_.cache.put("usage", list + list.substr(1), 1h);
  EXPECT_EQ(puts(one->share(window(1))), 2);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ExchangeTest, DoesNotFollowAListWithoutEnd) {
  std::string list = {'\xDD', '\x7F', '\xFF', '\xFF', '\xFF'};
  cache_.cache.put("usage", list, 1h);
  const auto one = process();
  EXPECT_EQ(puts(one->share(window(1))), 1);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a foreign value")));
}

}  // namespace
}  // namespace autoshard::detail
