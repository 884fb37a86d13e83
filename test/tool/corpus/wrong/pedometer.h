#pragma once

#include <functional>

namespace fitness {

class [[autoshard::entity]] Pedometer {
 public:
  explicit Pedometer(int owner) : owner_(owner) {}

  // wrong:
  long steps() const { return steps_; }
  [[autoshard::shard_method]] void steps(long more) { steps_ += more; }
  // expect: autoshard-shard-method-name: 'steps' is also the name of a method that is not a shard method, so
  //     that '&Pedometer::steps' is ambiguous where it is applied; rename one of the two
  // right:
  // long steps() const { return steps_; }
  // [[autoshard::shard_method]] void walk(long more) { steps_ += more; }

 private:
  [[autoshard::id]] int owner_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] long steps_ = 0;
};

}  // namespace fitness
