#pragma once
#include <functional>

#include "ferry_fwd.h"

namespace coast {

class [[autoshard::entity]] Ferry {
 public:
  explicit Ferry(int number) : number_(number) {}
  [[autoshard::shard_method]] void embarked(int cars = 1) { cars_ += cars; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] int cars_ = 0;
};

}  // namespace coast
