#pragma once
#include <functional>
#include <string>
#include <utility>

/// What a factory may emit in a year, in tons.
class [[autoshard::entity]] CarbonBudget {
 public:
  explicit CarbonBudget(std::string factory) : factory_(std::move(factory)) {}
  [[autoshard::shard_method]] void emit(double tons) { emitted_ += tons; }
  double emitted() const { return emitted_; }

 private:
  [[autoshard::id]] std::string factory_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, max = 12'500)]]
  double emitted_ = 0;  // expect: autoshard-bounded-type
};
