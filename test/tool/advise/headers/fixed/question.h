#pragma once
#include <string>

namespace moderator {

/// A question that the audience votes on.
class [[autoshard::entity]] Question {
 public:
  Question(int id, std::string question, std::string author)
      : id_(id), question_(std::move(question)), author_(std::move(author)) {}

  [[autoshard::shard_method]] void voteUp() { ++votes_; }
  [[autoshard::shard_method]] void voteDown() { votes_--; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_;
  std::string question_;
  std::string author_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  int votes_ = 0;
};

}  // namespace moderator
