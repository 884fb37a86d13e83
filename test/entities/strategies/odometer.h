// A number that may be greater than the numbers that stores fold themselves.
#pragma once

#include <cstdint>
#include <functional>

namespace road {

class [[autoshard::entity]] Odometer {
 public:
  explicit Odometer(int number) : number_(number) {}

  [[autoshard::shard_method]] void drive(std::uint64_t distance) { distance_ += distance; }
  std::uint64_t distance() const { return distance_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 1, fold = std::plus<>{})]] std::uint64_t distance_ = 0;
};

}  // namespace road
