#pragma once
#include <functional>
#include <string>

namespace lottery {

class [[autoshard::entity]] Draw {
 public:
  explicit Draw(int week) : week_(week) {}
  [[autoshard::shard_method]] void ticketSold() { ++tickets_; }
  long tickets() const { return tickets_; }

 private:
  [[autoshard::id]] int week_;
  // wrong:
  [[autoshard::shardable(shards = 20, fold = std::plus<>{})]] long tickets_ = 0;
  // expect: autoshard-missing-argument: '[[autoshard::shardable]]' needs 'neutral = …', the value that
  //     changes nothing when it is folded with another, such as 'neutral = 0' for a sum
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 20, fold = std::plus<>{})]] long tickets_ = 0;
};

}  // namespace lottery
