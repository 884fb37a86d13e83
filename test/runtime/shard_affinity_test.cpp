#include "shard_affinity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "usage.h"

namespace autoshard::detail {
namespace {

std::vector<Layout> layouts(const std::vector<std::uint32_t>& shards) {
  std::vector<Layout> all;
  for (const std::uint32_t number : shards) all.push_back({.shards = number});
  return all;
}

TEST(ShardAffinity, StaysUntilItLeaves) {
  AffinityNumber kept = next_affinity();
  const ShardAffinity affinity(ShardChoice::kSticky, kept);
  const std::uint16_t picked = affinity.pick(1000);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(affinity.pick(1000), picked);
}

TEST(ShardAffinity, LeavesTheShardOfEveryProperty) {
  for (const auto& shards : {std::vector<std::uint32_t>{2, 16}, {16, 2, 3}, {2}, {1, 4}, {7, 11, 13}}) {
    const auto all = layouts(shards);
    ShardAffinity affinity(ShardChoice::kSticky, affinity_of_thread());
    for (int i = 0; i < 500; ++i) {
      std::vector<std::uint16_t> before;
      for (const std::uint32_t number : shards) before.push_back(affinity.pick(number));
      affinity.leave(all);
      for (std::size_t property = 0; property < shards.size(); ++property) {
        const std::uint16_t after = affinity.pick(shards[property]);
        EXPECT_EQ(after == before[property], shards[property] == 1);
        EXPECT_LT(after, shards[property]);
      }
    }
  }
}

TEST(ShardAffinity, HasNowhereToGoWithoutShards) {
  ShardAffinity affinity(ShardChoice::kSticky, affinity_of_thread());
  affinity.leave(layouts({}));
  affinity.leave(layouts({1, 0}));
  EXPECT_EQ(affinity.pick(1), 0u);
}

// What is read ahead is what is written then.
TEST(ShardAffinity, IsDrawnOnceForATransaction) {
  AffinityNumber kept = next_affinity();
  ShardAffinity affinity(ShardChoice::kRandom, kept);
  std::set<std::uint16_t> all;
  for (int transaction = 0; transaction < 100; ++transaction) {
    affinity.begin();
    const std::uint16_t picked = affinity.pick(1000);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(affinity.pick(1000), picked);
    all.insert(picked);
  }
  EXPECT_GT(all.size(), 50U);
}

TEST(NumberOfThread, IsGivenOutAgainOnceTheThreadEnds) {
  const std::uint32_t mine = number_of_thread();
  std::set<std::uint32_t> numbers;
  for (int request = 0; request < 200; ++request)
    std::thread([&] { numbers.insert(number_of_thread()); }).join();
  EXPECT_EQ(numbers.size(), 1U) << "one at a time";
  EXPECT_FALSE(numbers.contains(mine));
}

TEST(NumberOfThread, IsOnesOwnWhileOthersLive) {
  constexpr std::size_t kThreads = 100;
  for (int round = 0; round < 2; ++round) {  // the second with what the first has given back
    std::vector<std::uint32_t> numbers(kThreads);
    std::vector<std::thread> threads;
    std::barrier all_have_one(kThreads);
    for (std::uint32_t& number : numbers) {
      threads.emplace_back([&] {
        number = number_of_thread();
        EXPECT_EQ(number_of_thread(), number);
        all_have_one.arrive_and_wait();
      });
    }
    for (std::thread& thread : threads) thread.join();
    numbers.push_back(number_of_thread());
    EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), std::size_t{kThreadNumbers});
    EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), kThreadNumbers - 1);
  }
}

TEST(NumberOfThread, ManyShortThreadsAreFewWriters) {
  Usage usage;
  for (int request = 0; request < 200; ++request)
    std::thread([&] { usage.put({.entity = EntityKeyView("a"), .writer = number_of_thread()}); }).join();
  EXPECT_EQ(usage.close_window(std::chrono::seconds(1)).at({EntityKey("a"), ""}).writers, 1U);
}

}  // namespace
}  // namespace autoshard::detail
