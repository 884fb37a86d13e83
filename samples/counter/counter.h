#pragma once

#include <functional>
#include <string>
#include <utility>

namespace counter {

/// Counts something under a name.
class [[autoshard::entity]] Counter {
 public:
  explicit Counter(std::string name) : name_(std::move(name)) {}

  [[autoshard::shard_method]] void increment() { ++count_; }

  const std::string& name() const { return name_; }
  long count() const { return count_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long count_ = 0;
};

}  // namespace counter
