#pragma once
#include <algorithm>
#include <limits>
#include <string>

namespace weather {

/// The extremes of a station, in tenths of a degree.
class [[autoshard::entity]] Extremes {
 public:
  explicit Extremes(std::string station) : station_(std::move(station)) {}

  [[autoshard::shard_method]] void measured(int tenths) { highest_ = std::max(highest_, tenths); }

  [[autoshard::shard_fold]] static int higher(int a, int b) { return std::max(a, b); }
  [[autoshard::shard_fold]] static int lower(int a, int b) { return std::min(a, b); }

 private:
  [[autoshard::id]] std::string station_;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 4)]] int highest_ = std::numeric_limits<int>::min();  // expect: autoshard-ambiguous-fold
};

}  // namespace weather
