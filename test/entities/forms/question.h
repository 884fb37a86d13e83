// The voting application's question: the example of the paper.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace moderator {

struct Response {
  std::string text;
  std::string author;
};

/// A question that the audience votes on.
class [[autoshard::entity]] Question {
 public:
  Question(int id, std::string question, std::string author)
      : id_(id), question_(std::move(question)), author_(std::move(author)) {}

  /// One more vote for this question.
  [[autoshard::shard_method]] void voteUp() { ++votes_; }
  [[autoshard::shard_method]] void voteDown() { --votes_; }
  [[autoshard::shard_fold]] static int foldVotes(int x, int y) { return x + y; }

  int id() const { return id_; }
  const std::string& question() const { return question_; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_;
  std::string question_;
  std::string author_;
  std::vector<Response> responses_;
  [[autoshard::shardable(neutral = 0, shards = 10)]] int votes_ = 0;
};

}  // namespace moderator
