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
  // wrong:
  [[autoshard::shard_fold]] static int higher(int one, int other) {
  // expect: autoshard-bounded-fold: higher(1, 1) is 1, but 1 + 1 is 2; what is left up to 'min' and 'max' can
  //     be divided only where shards are added
    return one > other ? one : other;
  // right:
  // [[autoshard::shard_fold]] static int higher(int one, int other) {
  //   return one > other ? one : other;
  }

  [[autoshard::id]] int number_;
  // wrong:
  [[autoshard::shardable(neutral = INT_MIN, shards = 4, max = 18'600)]] int highest_ = INT_MIN;
  // right:
  // [[autoshard::shardable(neutral = INT_MIN, shards = 4)]] int highest_ = INT_MIN;
};

}  // namespace water
