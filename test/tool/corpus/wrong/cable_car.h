#pragma once
#include <functional>

namespace alps {

class [[autoshard::entity]] CableCar {
 public:
  // wrong:
  static constexpr int kFewest = 40;
  static constexpr int kMost = 4;
  // right:
  // static constexpr int kFewest = 4;
  // static constexpr int kMost = 40;

  [[autoshard::shard_method]] void boarded(int people = 1) { on_board_ += people; }
  [[autoshard::shard_method]] void left(int people = 1) { on_board_ -= people; }

 private:
  [[autoshard::id]] int number_ = 0;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{},
                         min = kFewest, max = kMost)]]
                         // expect: autoshard-bounds-order: 'on_board_' is to be at least 40 and at most 4,
                         //     which no value is; exchange 'min' and 'max'
  int on_board_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{},
  //                        min = kFewest, max = kMost)]]
  // int on_board_ = kFewest;
};

}  // namespace alps
