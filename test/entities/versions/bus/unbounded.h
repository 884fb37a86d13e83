// A FreeBus whose number has no bounds.
#pragma once

#include <functional>

namespace bus {

class [[autoshard::entity("Bus")]] UnboundedBus {
 public:
  explicit UnboundedBus(int number, int free = 0) : number_(number), free_(free) {}

  [[autoshard::shard_method]] void take(int seats) { free_ -= seats; }
  [[autoshard::shard_write]] void set_free(int seats) { free_ = seats; }
  int free() const { return free_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}),
    autoshard::also_load("seats")]] int free_ = 0;
};

}  // namespace bus
