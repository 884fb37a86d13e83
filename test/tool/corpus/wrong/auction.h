#pragma once
#include <algorithm>
#include <limits>
#include <string>

namespace auction {

class [[autoshard::entity]] Lot {
 public:
  Lot(long number, long least) : number_(number), least_(least) {}

  // wrong:
  [[autoshard::shard_method]] void bid(long cents) {
    if (cents < least_) return;
    // expect: autoshard-shard-method-members: shard method 'bid' uses 'least_', which is not sharded; a shard
    //     holds nothing but the sharded members, so pass the value as a parameter
  // right:
  // [[autoshard::shard_method]] void bid(long cents, long least) {
  //   if (cents < least) return;
    best_ = std::max(best_, cents);
  }

 private:
  [[autoshard::shard_fold]] static long better(long a, long b) { return std::max(a, b); }

  [[autoshard::id]] long number_;
  long least_ = 0;
  [[autoshard::shardable(neutral = std::numeric_limits<long>::min(), shards = 8)]] long best_ =
      std::numeric_limits<long>::min();
};

}  // namespace auction
