#pragma once
#include <string>

namespace moderator {

/// A question that the audience votes on.
class Question {
 public:
  Question(int id, std::string question, std::string author)
      : id_(id), question_(std::move(question)), author_(std::move(author)) {}

  void voteUp() { ++votes_; }
  void voteDown() { votes_--; }
  int votes() const { return votes_; }

 private:
  int id_;
  std::string question_;
  std::string author_;
  int votes_ = 0;
};

}  // namespace moderator
