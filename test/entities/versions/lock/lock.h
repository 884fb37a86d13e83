// A class with an end of life; its index, its codec and its fold may fail.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "note.h"

namespace locks {

class [[autoshard::entity("Lock")]] Lock {
 public:
  explicit Lock(int number, std::string by = "", std::optional<Time> end = {}, long uses = 0)
      : until(end), owner(std::move(by)), number_(number), uses_(uses) {}

  int number() const { return number_; }
  long uses() const { return uses_; }
  [[autoshard::shard_method]] void use(long times) { uses_ += times; }

  [[autoshard::expires]] std::optional<Time> until;
  [[autoshard::index]] std::string owner;
  Note note;

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 3, fold = add_uses)]] long uses_ = kFirstUses;
};

}  // namespace locks
