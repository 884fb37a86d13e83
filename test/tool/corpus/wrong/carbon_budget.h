#pragma once
#include <functional>
#include <string>
#include <utility>

/// What a factory may emit in a year, in tons.
class [[autoshard::entity]] CarbonBudget {
 public:
  explicit CarbonBudget(std::string factory) : factory_(std::move(factory)) {}
  // wrong:
  [[autoshard::shard_method]] void emit(double tons) { emitted_ += tons; }
  // right:
  // [[autoshard::shard_method]] void emit(long kilograms) { emitted_ += kilograms; }
  // wrong:
  double emitted() const { return emitted_; }
  // right:
  // long emitted() const { return emitted_; }

 private:
  [[autoshard::id]] std::string factory_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, max = 12'500)]]
  double emitted_ = 0;
  // expect: autoshard-bounded-type: bounded member 'emitted_' has type 'double'; 'min' and 'max' are for
  //     signed integers, because an update that takes away is a negative part of the value: change the type,
  //     or leave them out
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, max = 12'500'000)]]
  // long emitted_ = 0;
};
