// The version of the class Lock before it had an end of life.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "note.h"

namespace locks {

class [[autoshard::entity("Lock")]] OldLock {
 public:
  explicit OldLock(int number, std::string by = "", std::optional<Time> end = {}, long uses = 0)
      : until(end), owner(std::move(by)), number_(number), uses_(uses) {}

  int number() const { return number_; }
  long uses() const { return uses_; }
  [[autoshard::shard_method]] void use(long times) { uses_ += times; }

  [[autoshard::transient]] std::optional<Time> until;
  [[autoshard::index]] std::string owner;
  Note note;

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 3, fold = add_uses)]] long uses_ = kFirstUses;
};

}  // namespace locks
