#pragma once

#include <string>
#include <utility>

namespace moderator {

/// The same question as most would write it first: the votes are part of the one record that everybody
/// updates.
class [[autoshard::entity]] NaiveQuestion {
 public:
  NaiveQuestion(int id, std::string question, std::string author)
      : id_(id), question_(std::move(question)), author_(std::move(author)) {}

  void voteUp() { ++votes_; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_;
  std::string question_;
  std::string author_;
  int votes_ = 0;
};

}  // namespace moderator
