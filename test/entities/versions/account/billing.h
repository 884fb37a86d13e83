// One of two classes of the kind Account, which are no versions of one class.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace billing {

class [[autoshard::entity]] Account {
 public:
  explicit Account(int number) : number_(number) {}

  [[autoshard::shard_method]] void visit() { ++visits_; }
  [[autoshard::shard_method]] void note(const std::string& text) { notes_.push_back(text); }

  std::string owner;

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int visits_ = 0;
  [[autoshard::shard_group(shards = 1)]] std::vector<std::string> notes_;
};

}  // namespace billing
