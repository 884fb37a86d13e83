#pragma once

#include <string>
#include <utility>

#include "units.h"

namespace shop {

class [[autoshard::entity]] Article {
 public:
  Article(std::string number, Unit unit) : number_(std::move(number)), unit_(unit) {}

  [[autoshard::shard_method]] void deliver(int pieces) { stock_ += pieces; }
#if defined(SHOP_WITH_RETURNS) && defined(SHOP_OF_THE_LANGUAGE) && SHOP_FROM_OPTIONS && SHOP_INCLUDED_FIRST
  [[autoshard::shard_method]] void take_back(int pieces) { stock_ += pieces; }
#endif
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

  int stock() const { return stock_; }
  Unit unit() const { return unit_; }
  const std::string& currency() const { return currency_; }

 private:
  [[autoshard::id]] std::string number_;
  Unit unit_;
  std::string currency_ = SHOP_CURRENCY;
  [[autoshard::shardable(neutral = 0, shards = 8)]] int stock_ = 0;
};

}  // namespace shop
