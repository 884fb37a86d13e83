#pragma once
#include <string>

namespace school {

class [[autoshard::entity]] Exam {
 public:
  explicit Exam(std::string subject) : subject_(std::move(subject)) {}
  [[autoshard::shard_method]] void handIn() { ++handedIn_; }
  [[autoshard::shard_fold(handed_in_)]] static int sum(int a, int b) { return a + b; }  // expect: autoshard-fold-member

 private:
  [[autoshard::id]] std::string subject_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int handedIn_ = 0;
};

}  // namespace school
