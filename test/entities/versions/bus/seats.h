// An earlier version of the class Bus: its number has another name.
#pragma once

#include <functional>

#include "bounds.h"

namespace bus {

class [[autoshard::entity("Bus")]] SeatsBus {
 public:
  explicit SeatsBus(int number, int free = 0) : number_(number), seats_(free) {}

  [[autoshard::shard_method]] void take(int seats) { seats_ -= seats; }
  [[autoshard::shard_write]] void set_free(int seats) { seats_ = seats; }
  int free() const { return seats_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = least_free(),
                         max = most_free())]] int seats_ = 0;
};

}  // namespace bus
