#pragma once
#include <functional>
#include <string>

namespace toll_road {

class [[autoshard::entity]] Gate {
 public:
  [[autoshard::shard_method]] void pass() { ++passed_; }
  [[autoshard::after_load]] void look() { pass(); }  // expect: autoshard-hook

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int passed_ = 0;
};

}  // namespace toll_road
