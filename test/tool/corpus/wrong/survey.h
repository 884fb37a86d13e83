#pragma once
#include <string>

namespace survey {

class [[autoshard::entity]] Question {
 public:
  explicit Question(std::string text) : text_(std::move(text)) {}
  double average() const { return average_; }

  [[autoshard::shard_fold]] static constexpr double mean(double a, double b) {  // expect: autoshard-fold-not-associative
    if (a == 0 || b == 0) return a + b;  // nobody has answered here
    return (a + b) / 2;
  }

 private:
  [[autoshard::id]] std::string text_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] double average_ = 0;
};

}  // namespace survey
