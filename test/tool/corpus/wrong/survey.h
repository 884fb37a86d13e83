#pragma once
#include <string>

namespace survey {

class [[autoshard::entity]] Question {
 public:
  explicit Question(std::string text) : text_(std::move(text)) {}
  // wrong:
  double average() const { return average_; }
  // right:
  // double average() const { return number_ == 0 ? 0 : sum_ / number_; }
  // [[autoshard::shard_method]] void answer(double points) {
  //   sum_ += points;
  //   number_ += 1;
  // }

  // wrong:
  [[autoshard::shard_fold]] static constexpr double mean(double a, double b) {
  // expect: autoshard-fold-not-associative: mean(mean(1, 1), 2.5) is 1.75 but mean(1, mean(1, 2.5)) is 1.375;
  //     shards are folded in no particular grouping
    if (a == 0 || b == 0) return a + b;  // nobody has answered here
    return (a + b) / 2;
  // right:
  // [[autoshard::shard_fold]] static constexpr double sum(double a, double b) {
  //   return a + b;
  }

 private:
  [[autoshard::id]] std::string text_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8)]] double average_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8)]] double sum_ = 0;
  // [[autoshard::shardable(neutral = 0, shards = 8)]] double number_ = 0;
};

}  // namespace survey
