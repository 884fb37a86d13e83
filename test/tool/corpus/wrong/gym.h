#pragma once
#include <functional>
#include <string>

namespace gym {

class [[autoshard::entity]] Member {
 public:
  explicit Member(int card) : card_(card) {}
  [[autoshard::shard_method]] void visited() { ++visits_; }
  [[autoshard::shard_method]] int visits() { return visits_; }  // expect: autoshard-shard-method-no-update

 private:
  [[autoshard::id]] int card_;
  std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int visits_ = 0;
};

}  // namespace gym
