#pragma once
#include <algorithm>
#include <climits>
#include <string>

namespace weather {

/// The extremes of a station, in tenths of a degree.
class [[autoshard::entity]] Extremes {
 public:
  explicit Extremes(std::string station) : station_(std::move(station)) {}

  [[autoshard::shard_method]] void measured(int tenths) { highest_ = std::max(highest_, tenths); }

  // wrong:
  [[autoshard::shard_fold]] static int higher(int a, int b) { return std::max(a, b); }
  [[autoshard::shard_fold]] static int lower(int a, int b) { return std::min(a, b); }
  // right:
  // [[autoshard::shard_fold(highest_)]] static int higher(int a, int b) { return std::max(a, b); }
  // static int lower(int a, int b) { return std::min(a, b); }

 private:
  [[autoshard::id]] std::string station_;
  // wrong:
  [[autoshard::shardable(neutral = INT_MIN, shards = 4)]] int highest_ = INT_MIN;
  // expect: autoshard-ambiguous-fold: sharded member 'highest_' has more than one fold; name the member in
  //     one of them, as in 'shard_fold(highest_)', or remove the others
  // right:
  // [[autoshard::shardable(neutral = INT_MIN, shards = 4)]] int highest_ = INT_MIN;
};

}  // namespace weather
