#pragma once
#include <functional>
#include <string>

namespace exchange::stocks {
class [[autoshard::entity("Order")]] StockOrder {
 public:
  [[autoshard::shard_method]] void filled(int pieces) { filled_ += pieces; }

 private:
  [[autoshard::id]] long id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int filled_ = 0;
};
}  // namespace exchange::stocks

namespace exchange::bonds {
class [[autoshard::entity]] Order {  // expect: autoshard-same-kind
 public:
  [[autoshard::shard_method]] void filled(double share) { filled_ += share; }

 private:
  [[autoshard::id]] std::string id_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] double filled_ = 0;
};
}  // namespace exchange::bonds
