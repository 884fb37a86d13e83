#pragma once

#include <functional>
#include <string>

namespace office {

/// Hands out the numbers at the entrance.
class [[autoshard::entity]] QueueTicket {
 public:
  explicit QueueTicket(std::string counter) : counter_(std::move(counter)) {}

  /// Each shard has a number of its own: two visitors get the same one.
  [[autoshard::shard_method]] int draw() {
    ++last_;
    const int mine = last_;
    return mine;  // expect: autoshard-shard-method-disclosure
  }

  int last() const { return last_; }

 private:
  [[autoshard::id]] std::string counter_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int last_ = 0;
};

}  // namespace office
