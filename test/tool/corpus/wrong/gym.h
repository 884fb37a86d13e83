#pragma once
#include <functional>
#include <string>

namespace gym {

class [[autoshard::entity]] Member {
 public:
  explicit Member(int card) : card_(card) {}
  [[autoshard::shard_method]] void visited() { ++visits_; }
  // wrong:
  [[autoshard::shard_method]] int visits() { return visits_; }
  // expect: autoshard-shard-method-no-update: shard method 'visits' changes no sharded member; remove the
  //     attribute, or mark the member that it changes [[autoshard::shardable]]
  // right:
  // int visits() const { return visits_; }

 private:
  [[autoshard::id]] int card_;
  std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int visits_ = 0;
};

}  // namespace gym
