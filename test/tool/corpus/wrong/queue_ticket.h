#pragma once

#include <functional>
#include <string>

namespace office {

/// Hands out the numbers at the entrance.
class [[autoshard::entity]] QueueTicket {
 public:
  explicit QueueTicket(std::string counter) : counter_(std::move(counter)) {}

  // wrong:
  /// Each shard has a number of its own: two visitors get the same one.
  [[autoshard::shard_method]] int draw() {
    ++last_;
    const int mine = last_;
    return mine;
    // expect: autoshard-shard-method-disclosure: shard method 'draw' returns a value that depends on the
    //     sharded member 'last_', but a shard holds only a part of that; return nothing, and read 'last_' in
    //     a const method of a loaded entity
  // right:
  // /// Counts the visitors; the number on a ticket comes from the printer.
  // [[autoshard::shard_method]] void drawn() {
  //   ++last_;
  }

  int last() const { return last_; }

 private:
  [[autoshard::id]] std::string counter_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int last_ = 0;
};

}  // namespace office
