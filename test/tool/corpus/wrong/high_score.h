#pragma once
#include <functional>
#include <string>

namespace high_score {

class [[autoshard::entity]] Player {
 public:
  [[autoshard::shard_method]] void win() { ++points_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]]
  [[autoshard::index(unique)]]  // expect: autoshard-index-unique
  int points_ = 0;
};

}  // namespace high_score
