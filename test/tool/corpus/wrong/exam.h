#pragma once
#include <string>

namespace school {

class [[autoshard::entity]] Exam {
 public:
  explicit Exam(std::string subject) : subject_(std::move(subject)) {}
  [[autoshard::shard_method]] void handIn() { ++handedIn_; }
  // wrong:
  [[autoshard::shard_fold(handed_in_)]] static int sum(int a, int b) { return a + b; }
  // expect: autoshard-fold-member: there is no member 'handed_in_'; did you mean 'handedIn_'?
  // right:
  // [[autoshard::shard_fold(handedIn_)]] static int sum(int a, int b) { return a + b; }

 private:
  [[autoshard::id]] std::string subject_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int handedIn_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 4)]] int handedIn_ = 0;
};

}  // namespace school
