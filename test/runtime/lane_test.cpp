#include "lane.h"

#include <gtest/gtest.h>

#include <vector>

namespace autoshard::detail {
namespace {

std::vector<Layout> layouts(const std::vector<std::uint32_t>& shards) {
  std::vector<Layout> all;
  for (const std::uint32_t number : shards) all.push_back({.shards = number});
  return all;
}

TEST(Lane, StaysUntilItLeaves) {
  LaneNumber kept = next_lane();
  const Lane lane(ShardChoice::kSticky, kept);
  const std::uint16_t picked = lane.pick(1000);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(lane.pick(1000), picked);
}

TEST(Lane, LeavesTheShardOfEveryProperty) {
  for (const auto& shards : {std::vector<std::uint32_t>{2, 16}, {16, 2, 3}, {2}, {1, 4}, {7, 11, 13}}) {
    const auto all = layouts(shards);
    Lane lane(ShardChoice::kSticky, lane_of_thread());
    for (int i = 0; i < 500; ++i) {
      std::vector<std::uint16_t> before;
      for (const std::uint32_t number : shards) before.push_back(lane.pick(number));
      lane.leave(all);
      for (std::size_t property = 0; property < shards.size(); ++property) {
        const std::uint16_t after = lane.pick(shards[property]);
        EXPECT_EQ(after == before[property], shards[property] == 1);
        EXPECT_LT(after, shards[property]);
      }
    }
  }
}

TEST(Lane, HasNowhereToGoWithoutShards) {
  Lane lane(ShardChoice::kSticky, lane_of_thread());
  lane.leave(layouts({}));
  lane.leave(layouts({1, 0}));
  EXPECT_EQ(lane.pick(1), 0u);
}

}  // namespace
}  // namespace autoshard::detail
