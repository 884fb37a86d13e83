// Today's version of the class Bus.
#pragma once

#include <functional>

#include "bounds.h"

namespace bus {

class [[autoshard::entity("Bus")]] FreeBus {
 public:
  explicit FreeBus(int number, int free = 0) : number_(number), free_(free) {}

  [[autoshard::shard_method]] void take(int seats) { free_ -= seats; }
  [[autoshard::shard_write]] void set_free(int seats) { free_ = seats; }
  int free() const { return free_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = least_free(),
                         max = most_free()),
    autoshard::also_load("seats")]] int free_ = 0;
};

}  // namespace bus
