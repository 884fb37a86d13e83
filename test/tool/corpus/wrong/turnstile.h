#pragma once
#include <functional>
#include <string>

namespace transit {

/// Its source was forgotten: nobody gave it to the generator.
class [[autoshard::entity]] Turnstile {
 public:
  explicit Turnstile(std::string station) : station_(std::move(station)) {}
  [[autoshard::shard_method]] void passed() { ++passengers_; }
  int passengers() const;
  static int capacity();
  void startDay();  // expect: autoshard-plain-method-body

 private:
  [[autoshard::id]] std::string station_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int passengers_ = 0;
};

}  // namespace transit
