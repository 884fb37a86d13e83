#include "turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/test_store.h"

namespace autoshard {
namespace {

using mysql_store::Turns;
using namespace std::chrono_literals;

TEST(Turns, AreAsManyAsThereAre) {
  Turns turns(2);
  EXPECT_TRUE(turns.begin(0ms));
  EXPECT_TRUE(turns.begin(0ms));
  EXPECT_FALSE(turns.begin(0ms));
  turns.end();
  EXPECT_TRUE(turns.begin(0ms));
  EXPECT_FALSE(turns.begin(0ms));
}

TEST(Turns, GoToWhoeverCameFirst) {
  Turns turns(1);
  ASSERT_TRUE(turns.begin(0ms));
  std::vector<int> order;  // written by whoever has the turn
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      ASSERT_TRUE(turns.begin(24h));
      order.push_back(i);
      turns.end();
    });
    while (turns.waiting() <= static_cast<std::size_t>(i)) std::this_thread::yield();
  }
  turns.end();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// Those who give up among others who do not.
TEST(Turns, NoneIsLostAndNoneIsTooMany) {
  constexpr std::size_t kTurns = 3;
  std::mt19937_64 generator = test::seeded_generator();
  Turns turns(kTurns);
  std::atomic<std::size_t> at_it{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, mine = std::mt19937_64(generator())]() mutable {
      for (int step = 0; step < 3'000; ++step) {
        if (!turns.begin(std::chrono::milliseconds(test::below(mine, 2)))) continue;
        EXPECT_LE(at_it.fetch_add(1) + 1, kTurns);
        if (test::below(mine, 4) == 0) std::this_thread::yield();
        at_it.fetch_sub(1);
        turns.end();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(turns.waiting(), 0U);
  for (std::size_t i = 0; i < kTurns; ++i) EXPECT_TRUE(turns.begin(0ms));
  EXPECT_FALSE(turns.begin(0ms));
}

}  // namespace
}  // namespace autoshard
