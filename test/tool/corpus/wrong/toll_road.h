#pragma once
#include <functional>
#include <string>

namespace toll_road {

class [[autoshard::entity]] Gate {
 public:
  // wrong:
  [[autoshard::shard_method]] void pass() { ++passed_; }
  [[autoshard::after_load]] void look() { pass(); }
  // expect: autoshard-hook: 'look' calls a shard method, so that each load would count as an update; do that
  //     where the update is meant
  // right:
  // [[autoshard::shard_method]] void pass() { ++passed_; }
  // [[autoshard::after_load]] void look() {}

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int passed_ = 0;
};

}  // namespace toll_road
