#pragma once

#include <string>
#include <utility>

namespace moderator {

/// How one visitor votes on one question. The ballot is the durable intent: it is saved before the question
/// counts the vote. If the server dies in between, `is_counted` is false, and the vote is counted later.
class [[autoshard::entity,
        autoshard::sharded_index(name = ByVisitor, key = visitor_, order = question_, shards = 1)]] Ballot {
 public:
  Ballot(std::string visitor, int question) : visitor_(std::move(visitor)), question_(question) {}

  /// The visitor now wants this choice: 1 is up, -1 is down, 0 is no vote. The last choice must be counted.
  void choose(int choice) {
    choice_ = choice;
    ++revision_;
    is_counted_ = false;
  }
  void mark_counted() {
    counted_ = choice_;
    is_counted_ = true;
  }

  const std::string& visitor() const { return visitor_; }
  int question() const { return question_; }
  int choice() const { return choice_; }
  bool is_counted() const { return is_counted_; }
  /// By how much the votes of the question have to change.
  int change() const { return choice_ - counted_; }
  /// The name of the last choice, the same however often the choice is counted.
  std::string token() const { return visitor_ + "/" + std::to_string(revision_); }

 private:
  [[autoshard::id]] std::string visitor_;
  [[autoshard::id]] int question_;
  int choice_ = 0;
  int counted_ = 0;
  int revision_ = 0;
  [[autoshard::index]] bool is_counted_ = true;
};

}  // namespace moderator
