#pragma once
#include <string>

namespace bikes {

class [[autoshard::entity]] Station {
 public:
  explicit Station(std::string id) : id_(std::move(id)) {}
  [[autoshard::shard_method]] void taken() { --bikes_; }
  [[autoshard::shard_method]] void returned() { ++bikes_; }

 private:
  [[autoshard::shard_fold]] int add(int x, int y) const { return x + y; }  // expect: autoshard-fold-not-static

  [[autoshard::id]] std::string id_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int bikes_ = 0;
};

}  // namespace bikes
