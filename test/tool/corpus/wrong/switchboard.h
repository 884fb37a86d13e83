#pragma once
#include <bitset>
#include <cstddef>
#include <functional>

namespace telephony {

/// Which lines of a switchboard are in use.
class [[autoshard::entity]] Switchboard {
 public:
  explicit Switchboard(int number) : number_(number) {}

  [[autoshard::shard_method]] void connect(std::size_t line) { used_.set(line); }
  // wrong:
  [[autoshard::shard_method]] void toggle(std::size_t line) { used_.flip(line); }
  // expect: autoshard-method-does-not-commute: toggle(0) after folding 0b1 and 0b1 gives 0b0, but toggle(0)
  //     on 0b1, folded with 0b1, gives 0b1; an update must give the same total on every shard
  // right:
  // [[autoshard::shard_method]] void connect_all() { used_.set(); }

  std::bitset<24> used() const { return used_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::bit_or<>{})]] std::bitset<24> used_;
};

}  // namespace telephony
