#pragma once
#include <string>

namespace bikes {

class [[autoshard::entity]] Station {
 public:
  explicit Station(std::string id) : id_(std::move(id)) {}
  [[autoshard::shard_method]] void taken() { --bikes_; }
  [[autoshard::shard_method]] void returned() { ++bikes_; }

 private:
  // wrong:
  [[autoshard::shard_fold]] int add(int x, int y) const { return x + y; }
  // expect: autoshard-fold-not-static: shard fold 'add' is not static; make it static
  // right:
  // [[autoshard::shard_fold]] static int add(int x, int y) { return x + y; }

  [[autoshard::id]] std::string id_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int bikes_ = 0;
};

}  // namespace bikes
