#pragma once
#include <functional>
#include <string>

namespace stadium {

class [[autoshard::entity]] Match {
 public:
  static constexpr int kSeats = 66'000;

  Match(int season, int day) : season_(season), day_(day) {}
  [[autoshard::shard_method]] void entered() { ++visitors_; }

 private:
  [[autoshard::id]] int season_;
  [[autoshard::id]] int day_;
  // wrong:
  // One for every seat, so that nobody waits.
  [[autoshard::shardable(neutral = 0, shards = kSeats, fold = std::plus<>{})]] int visitors_ = 0;
  // expect: autoshard-shards-range: the number of shards is 66000; it must be from 1 to 4096
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 64, fold = std::plus<>{})]] int visitors_ = 0;
};

}  // namespace stadium
