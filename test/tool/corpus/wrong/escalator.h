#pragma once
#include <cstdint>
#include <functional>

namespace mall {

class [[autoshard::entity]] Escalator {
 public:
  explicit Escalator(int number) : number_(number) {}
  [[autoshard::shard_method]] void rode() { ++riders_; }

 private:
  [[autoshard::id]] int number_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint16_t riders_ = 0;
  // expect: autoshard-narrow-shardable: sharded member 'riders_' has type 'std::uint16_t', which cannot hold
  //     more than 65535, and many updates add to it; use an integer of 32 or 64 bits, or give 'min' and 'max'
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t riders_ = 0;
};

}  // namespace mall
