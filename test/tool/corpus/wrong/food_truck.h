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
  // wrong:
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{}, min = 0)]]
  // expect: autoshard-bounded-dynamic: bounded member 'burritos_' needs shards that hold what is left up to
  //     the bound; add 'shards = …', such as 'shards = 10' or 'shards = adaptive'
  std::int32_t burritos_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, fold = std::plus<>{}, min = 0, shards = 4)]]
  // std::int32_t burritos_ = 0;
};

}  // namespace street
