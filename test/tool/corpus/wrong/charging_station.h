#pragma once
#include <functional>

namespace grid {

constexpr int kPlugs = 12;

class [[autoshard::entity]] ChargingStation {
 public:
  explicit ChargingStation(long number) : number_(number) {}
  [[autoshard::shard_method]] void charged(long watt_hours) { watt_hours_ += watt_hours; }

 private:
  [[autoshard::id]] long number_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{},
                         shards = adaptive(kPlugs, 8))]]  // expect: autoshard-adaptive-range
  long watt_hours_ = 0;
};

}  // namespace grid
