#pragma once

#include <string>
#include <utility>
#include <vector>

namespace moderator {

struct Response {
  std::string text;
  std::string author;
};

/// A question that thousands of people vote on, and respond to, at the same time.
class [[autoshard::entity]] Question {
 public:
  Question(int id, std::string question, std::string author)
      : id_(id), question_(std::move(question)), author_(std::move(author)) {}

  [[autoshard::shard_method]] void voteUp() { ++votes_; }
  [[autoshard::shard_method]] void voteDown() { --votes_; }
  [[autoshard::shard_method]] void addResponse(std::string text, std::string author) {
    responses_.push_back({std::move(text), std::move(author)});
    ++answers_;
  }
  [[autoshard::shard_fold]] static int foldVotes(int x, int y) { return x + y; }

  int id() const { return id_; }
  const std::string& question() const { return question_; }
  const std::string& author() const { return author_; }
  const std::vector<Response>& responses() const { return responses_; }
  int votes() const { return votes_; }
  /// How many responses there are, without reading them. Does not count those of earlier versions of the
  /// sample.
  int answers() const { return answers_; }

 private:
  [[autoshard::id]] int id_;
  std::string question_;
  std::string author_;
  [[autoshard::shard_group(shards = 8)]] std::vector<Response> responses_;
  [[autoshard::shardable(neutral = 0, shards = 16), autoshard::index]] int votes_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 16)]] int answers_ = 0;
};

}  // namespace moderator
