#pragma once
#include <climits>

namespace water {

/// The highest level of the year, which no dam may see above its crest.
class [[autoshard::entity]] Reservoir {
 public:
  explicit Reservoir(int number) : number_(number) {}
  [[autoshard::shard_method]] void measured(int centimetres) {
    if (centimetres > highest_) highest_ = centimetres;
  }
  int highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static int higher(int one, int other) {  // expect: autoshard-bounded-fold
    return one > other ? one : other;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = INT_MIN, shards = 4, max = 18'600)]] int highest_ = INT_MIN;
};

}  // namespace water
