// The other of two classes of the kind Account.
#pragma once

#include <functional>
#include <string>

namespace game {

class [[autoshard::entity]] Account {
 public:
  explicit Account(int number) : number_(number) {}

  [[autoshard::shard_method]] void visit() { ++visits_; }

  std::string owner;

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int visits_ = 0;
};

}  // namespace game
