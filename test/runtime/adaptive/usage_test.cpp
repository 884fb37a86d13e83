#include "usage.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "entity_literal.h"
#include "top_properties.h"
#include "window.h"

namespace autoshard::detail {
namespace {

using namespace std::chrono_literals;
using test::operator""_entity;
using testing::IsEmpty;

PropertyRef property(EntityKeyView entity, std::uint32_t writer = 1) {
  return {.entity = entity, .name = "votes", .shards = 4, .allowed = adaptive(2, 64), .writer = writer};
}

PropertyId id(std::string entity) { return {EntityKey(std::move(entity)), "votes"}; }

TEST(Usage, CountsEachOfFewEvents) {
  Usage usage;
  for (int i = 0; i < 10; ++i) usage.put(property("a"_entity), 3);
  for (int i = 0; i < 6; ++i) usage.conflict(property("a"_entity));
  for (int i = 0; i < 4; ++i) usage.retry(property("a"_entity));
  for (int i = 0; i < 2; ++i) usage.get(property("a"_entity));
  usage.get(property("b"_entity, 0));
  const Window window = usage.close_window(2s);
  ASSERT_EQ(window.size(), 2u);
  const Activity& a = window.at(id("a"));
  EXPECT_EQ(a.puts, 15);
  EXPECT_EQ(a.commits, 5);
  EXPECT_EQ(a.conflicts, 3);
  EXPECT_EQ(a.retries, 2);
  EXPECT_EQ(a.gets, 1);
  EXPECT_EQ(a.shards, 4u);
  EXPECT_EQ(a.least, 2u);
  EXPECT_EQ(a.most, 64u);
  EXPECT_EQ(a.writers, 1u);
  const Activity& b = window.at(id("b"));
  EXPECT_EQ(b.gets, 0.5);
  EXPECT_EQ(b.writers, 0u);
  EXPECT_THAT(usage.close_window(1s), IsEmpty());
}

TEST(Usage, TellsPropertiesApart) {
  Usage usage;
  PropertyRef seats = property("a"_entity);
  seats.name = "seats";
  usage.put(property("a"_entity));
  usage.put(seats);
  usage.put(seats);
  const Window window = usage.close_window(1s);
  EXPECT_EQ(window.at({EntityKey("a"), "votes"}).puts, 1);
  EXPECT_EQ(window.at({EntityKey("a"), "seats"}).puts, 2);
}

TEST(Usage, EstimatesManyEventsFromFew) {
  constexpr double kMany = 3e6;
  Usage usage;
  for (int window = 0; window < 2; ++window) {  // the second begins with what the first one was like
    for (int i = 0; i < kMany; ++i) {
      usage.put(property("a"_entity), 2);
      if (i % 4 == 0) usage.conflict(property("b"_entity));
    }
    const Window seen = usage.close_window(1s);
    // A sixth of the samples, or more, is of conflicts: five standard deviations of a share of it.
    const double tolerance = 5 / std::sqrt(static_cast<double>(Usage::kSamples) / 2 / 5);
    EXPECT_NEAR(seen.at(id("a")).commits, kMany, kMany * tolerance);
    EXPECT_NEAR(seen.at(id("a")).puts, 2 * kMany, 2 * kMany * tolerance);
    EXPECT_NEAR(seen.at(id("b")).conflicts, kMany / 4, kMany / 4 * tolerance);
  }
  usage.put(property("a"_entity));  // whatever this is drawn for
  usage.close_window(1s);
  usage.put(property("a"_entity));
  EXPECT_EQ(usage.close_window(1s).at(id("a")).puts, 1) << "few are counted exactly again";
}

TEST(Usage, IsForManyThreads) {
  constexpr int kThreads = 4, kEach = 3'000;  // so few that each is recorded
  Usage usage;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&usage, writer = static_cast<std::uint32_t>(thread)] {
      for (int i = 0; i < kEach; ++i) {
        usage.put(property("a"_entity, writer));
        if (i % 1'000 == 0) usage.get(property("a"_entity, 0));
      }
    });
  }
  double puts = 0;
  for (int i = 0; i < 10; ++i) {
    for (const auto& [at, activity] : usage.close_window(1s)) puts += activity.puts;
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& [at, activity] : usage.close_window(1s)) puts += activity.puts;
  EXPECT_EQ(puts, kThreads * kEach);
}

TEST(Usage, FindsTheHotOnesAmongAnyNumber) {
  std::mt19937_64 generator(7);
  Usage usage;
  std::uniform_int_distribution<int> any(0, 999'999), percent(0, 99);
  for (int i = 0; i < 200'000; ++i) {
    const int dice = percent(generator);
    usage.put(property(EntityKey(dice < 5 ? "hot" : dice < 7 ? "warm" : std::to_string(any(generator)))));
    usage.get(property(EntityKey(dice < 50 ? "read" : std::to_string(any(generator)))));
  }
  const Window window = usage.close_window(1s);
  EXPECT_LE(window.size(), 2 * Usage::kPlaces);
  EXPECT_NEAR(window.at(id("hot")).puts, 10'000, 2'000);
  EXPECT_NEAR(window.at(id("warm")).puts, 4'000, 1'000);
  EXPECT_NEAR(window.at(id("read")).gets, 100'000, 5'000);
}

TEST(TopProperties, HasWhateverHappensMoreThanAverage) {
  // Against exact counts, in streams of many lengths and skews.
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937_64 generator(seed);
    constexpr std::size_t kPlaces = 10;
    TopProperties top(kPlaces);
    std::geometric_distribution<int> pick(0.02 * (1 + seed % 10));
    std::map<std::string, double> exact;
    const int length = 100 * static_cast<int>(1 + seed);
    for (int i = 0; i < length; ++i) {
      const std::string entity = std::to_string(pick(generator));
      top.at(property(EntityKeyView(entity)), 1).puts += 1;
      exact[entity] += 1;
    }
    std::map<std::string, double> found;
    for (const auto& place : top.places()) {
      found[place.id.entity.bytes()] = place.activity.puts;
      EXPECT_LE(place.activity.puts, exact[place.id.entity.bytes()]);
    }
    EXPECT_LE(found.size(), kPlaces);
    for (const auto& [entity, count] : exact) {
      if (count > length / static_cast<double>(kPlaces)) {
        EXPECT_TRUE(found.contains(entity)) << entity << " in the stream of seed " << seed;
      }
    }
  }
}

TEST(Usage, CountsWriters) {
  for (const std::uint32_t writers : {1u, 2u, 7u, 63u, 64u}) {
    Usage usage;
    for (std::uint32_t i = 0; i < writers; ++i) {
      usage.put(property("a"_entity, 1'000 + i));
      usage.conflict(property("a"_entity, 1'000 + i));
    }
    usage.get(property("a"_entity, 2'000));
    EXPECT_EQ(usage.close_window(1s).at(id("a")).writers, writers);
  }
}

Window some_window() {
  Window window;
  window[id("a")] = {
      .shards = 4, .least = 2, .most = 64, .writers = 3, .puts = 1.5, .commits = 1, .conflicts = 7};
  window[{EntityKey(std::string("\0\xFF b", 4)), ""}] = {.retries = 0.25, .gets = 1e9};
  return window;
}

bool same(const Window& one, const Window& other) { return encode(one) == encode(other); }

TEST(Window, IsTheSameAfterItWasEncoded) {
  const std::optional<Window> decoded = decode_window(encode(some_window()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->size(), 2u);
  const Activity& a = decoded->at(id("a"));
  EXPECT_EQ(a.shards, 4u);
  EXPECT_EQ(a.least, 2u);
  EXPECT_EQ(a.most, 64u);
  EXPECT_EQ(a.writers, 3u);
  EXPECT_EQ(a.puts, 1.5);
  EXPECT_EQ(a.commits, 1);
  EXPECT_EQ(a.conflicts, 7);
  EXPECT_EQ(decoded->at({EntityKey(std::string("\0\xFF b", 4)), ""}).gets, 1e9);
  EXPECT_TRUE(same(*decoded, some_window()));
  EXPECT_TRUE(decode_window(encode({})));
}

TEST(Window, IsNotDecodedFromNonsense) {
  const std::string good = encode(some_window());
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(decode_window(good.substr(0, size))) << size;
  EXPECT_FALSE(decode_window("some text"));
  Window impossible = some_window();
  for (const double rate : {-1.0, 1e16, std::numeric_limits<double>::infinity(), std::nan("")}) {
    impossible.begin()->second.puts = rate;
    EXPECT_FALSE(decode_window(encode(impossible))) << rate;
  }
  impossible = some_window();
  impossible.begin()->second.writers = 100'000;
  EXPECT_FALSE(decode_window(encode(impossible)));
  std::mt19937_64 generator(1);
  for (int i = 0; i < 20'000; ++i) {  // whatever it makes of it, it may be encoded again
    std::string bytes = good;
    for (int changes = 0; changes < 1 + i % 3; ++changes)
      bytes[generator() % bytes.size()] = static_cast<char>(generator());
    if (const auto window = decode_window(bytes)) {
      EXPECT_TRUE(decode_window(encode(*window)));
    }
  }
}

TEST(Window, AddsUpWhatHappenedElsewhere) {
  Window window = some_window(), other;
  other[id("a")] = {.shards = 8, .least = 2, .most = 64, .writers = 2, .puts = 1, .conflicts = 1, .gets = 5};
  other[id("c")] = {.shards = 1, .puts = 1};
  merge(window, other);
  EXPECT_EQ(window.size(), 3u);
  const Activity& a = window.at(id("a"));
  EXPECT_EQ(a.puts, 2.5);
  EXPECT_EQ(a.conflicts, 8);
  EXPECT_EQ(a.gets, 5);
  EXPECT_EQ(a.writers, 5u);
  EXPECT_EQ(a.shards, 8u);
  EXPECT_EQ(window.at(id("c")).puts, 1);
}

}  // namespace
}  // namespace autoshard::detail
