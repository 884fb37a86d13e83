// Updates that commute where they are defined for the neutral value, and not elsewhere.
#pragma once

#include <algorithm>
#include <limits>

namespace undefined_neutral {

// wrong: an update by -1 lowers the maximum of one shard, and not that of the others
class [[autoshard::entity]] Peak {
 public:
  explicit Peak(int number) : number_(number) {}
  [[autoshard::shard_method]] void see(int by) {
    if (by < 0) {
      peak_ += by;
    } else {
      peak_ = std::max(peak_, by);
    }
  }
  int peak() const { return peak_; }

 private:
  [[autoshard::shard_fold]] static int higher(int a, int b) { return std::max(a, b); }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 2)]] int peak_ =
      std::numeric_limits<int>::min();
};

}  // namespace undefined_neutral
