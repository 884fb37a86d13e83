#pragma once
#include <functional>

namespace alps {

class [[autoshard::entity]] CableCar {
 public:
  static constexpr int kFewest = 40;
  static constexpr int kMost = 4;

  [[autoshard::shard_method]] void boarded(int people = 1) { on_board_ += people; }
  [[autoshard::shard_method]] void left(int people = 1) { on_board_ -= people; }

 private:
  [[autoshard::id]] int number_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{},
                         min = kFewest, max = kMost)]]  // expect: autoshard-bounds-order
  int on_board_ = 0;
};

}  // namespace alps
