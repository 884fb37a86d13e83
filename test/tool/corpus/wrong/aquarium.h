#pragma once
#include <functional>
#include <mutex>
#include <string>

namespace zoo {

class [[autoshard::entity]] Aquarium {
 public:
  explicit Aquarium(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void visited() { ++visitors_; }
  std::string name() const {
    const std::lock_guard lock(mutex_);
    return name_;
  }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::transient]] mutable std::mutex mutex_;  // expect: autoshard-not-movable
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int visitors_ = 0;
};

}  // namespace zoo
