// A bound that is the greatest integer, and a number that once had another name.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace ship {

class [[autoshard::entity]] Hold {
 public:
  explicit Hold(int number, std::int64_t tons = 0) : number_(number), tons_(tons) {}

  [[autoshard::shard_method]] void load(std::int64_t tons) {
    tons_ += tons;
    ++loads_;
  }
  std::int64_t tons() const { return tons_; }
  int loads() const { return loads_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{}, min = 0,
                         max = std::numeric_limits<std::int64_t>::max())]] std::int64_t tons_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{}),
    autoshard::also_load("visits")]] int loads_ = 0;
};

}  // namespace ship
