#pragma once
#include <cstdint>
#include <functional>

namespace street {

class [[autoshard::entity]] FoodTruck {
 public:
  explicit FoodTruck(std::uint16_t licence) : licence_(licence) {}
  [[autoshard::shard_method]] void sold(std::int32_t burritos) { burritos_ -= burritos; }
  [[autoshard::shard_method]] void cooked(std::int32_t burritos) { burritos_ += burritos; }

 private:
  [[autoshard::id]] std::uint16_t licence_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{}, min = 0)]]  // expect: autoshard-bounded-dynamic
  std::int32_t burritos_ = 0;
};

}  // namespace street
