#pragma once
#include <functional>
#include <string>

namespace high_score {

class [[autoshard::entity]] Player {
 public:
  [[autoshard::shard_method]] void win() { ++points_; }

 private:
  [[autoshard::id]] std::string name_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]]
  [[autoshard::index(unique)]]
  // expect: autoshard-index-unique: 'points_' is sharded, and no update knows its whole value, so nothing can
  //     keep it from being another entity's, too; remove 'unique'
  int points_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]]
  // [[autoshard::index]]
  // int points_ = 0;
};

}  // namespace high_score
