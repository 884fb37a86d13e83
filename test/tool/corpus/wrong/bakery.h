#pragma once
#include <functional>
#include <string>

namespace bakery {

class [[autoshard::entity]] Oven {
 public:
  explicit Oven(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void baked(int loaves) { loaves_ += loaves; }

 private:
  [[autoshard::id]] std::string name_;
  // wrong:
  [[autoshard::shardable(neutral = 0.5, shards = 4, fold = std::plus<>{})]] int loaves_ = 0;
  // expect: autoshard-argument-value: 'neutral = 0.5' does not fit 'loaves_', of type 'int': it is not a
  //     whole number
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int loaves_ = 0;
};

}  // namespace bakery
