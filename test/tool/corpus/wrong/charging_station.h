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
  // wrong:
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{},
                         shards = adaptive(kPlugs, 8))]]
                         // expect: autoshard-adaptive-range: the number of shards is to be from 12 to 8; the
                         //     first must be at least 1 and less than the second, and the second at most 4096
  long watt_hours_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, fold = std::plus<>{},
  //                        shards = adaptive(8, kPlugs))]]
  // long watt_hours_ = 0;
};

}  // namespace grid
