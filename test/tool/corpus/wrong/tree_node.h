#pragma once
#include <functional>
#include <string>

namespace taxonomy {

class [[autoshard::entity]] Species {
 public:
  Species(int number, std::string name) : number_(number), name_(std::move(name)) {}

  Species* parent() { return parent_; }
  [[autoshard::shard_method]] void observed(int animals) { observed_ += animals; }

 private:
  [[autoshard::id]] int number_;
  std::string name_;
  Species* parent_ = nullptr;  // expect: autoshard-property-type
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int observed_ = 0;
};

}  // namespace taxonomy
