#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace zoo {

class [[autoshard::entity]] Aquarium {
 public:
  explicit Aquarium(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void visited() { ++visitors_; }
  std::string name() const {
    // wrong:
    const std::lock_guard lock(mutex_);
    // right:
    // const std::lock_guard lock(*mutex_);
    return name_;
  }

 private:
  [[autoshard::id]] std::string name_;
  // wrong:
  [[autoshard::transient]] mutable std::mutex mutex_;
  // expect: autoshard-not-movable: a load cannot return a 'Aquarium' by value: its member 'mutex_' cannot be
  //     moved; hold it in a std::unique_ptr
  // right:
  // [[autoshard::transient]] std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int visitors_ = 0;
};

}  // namespace zoo
