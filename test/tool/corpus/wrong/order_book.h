#pragma once
#include <functional>
#include <string>

namespace exchange::stocks {
// wrong:
class [[autoshard::entity("Order")]] StockOrder {
// right:
// class [[autoshard::entity("Order")]] StockOrder {
 public:
  [[autoshard::shard_method]] void filled(int pieces) { filled_ += pieces; }

 private:
  [[autoshard::id]] long id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int filled_ = 0;
};
}  // namespace exchange::stocks

namespace exchange::bonds {
// wrong:
class [[autoshard::entity]] Order {
// expect: autoshard-same-kind: 'exchange::bonds::Order' and 'exchange::stocks::StockOrder' are both kind
//     'Order'; tell them apart, as in 'entity("OtherOrder")'
// right:
// class [[autoshard::entity("BondOrder")]] Order {
 public:
  [[autoshard::shard_method]] void filled(double share) { filled_ += share; }

 private:
  [[autoshard::id]] std::string id_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] double filled_ = 0;
};
}  // namespace exchange::bonds
