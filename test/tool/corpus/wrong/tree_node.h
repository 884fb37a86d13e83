#pragma once
#include <functional>
#include <string>

namespace taxonomy {

class [[autoshard::entity]] Species {
 public:
  Species(int number, std::string name) : number_(number), name_(std::move(name)) {}

  // wrong:
  Species* parent() { return parent_; }
  // right:
  // int parent() const { return parent_; }
  [[autoshard::shard_method]] void observed(int animals) { observed_ += animals; }

 private:
  [[autoshard::id]] int number_;
  std::string name_;
  // wrong:
  Species* parent_ = nullptr;
  // expect: autoshard-property-type: member 'parent_' has type 'taxonomy::Species *', which cannot be stored:
  //     a pointer means nothing in another process; hold the value itself, std::optional, or mark it
  //     [[autoshard::transient]]
  // right:
  // int parent_ = 0;  // its number
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int observed_ = 0;
};

}  // namespace taxonomy
