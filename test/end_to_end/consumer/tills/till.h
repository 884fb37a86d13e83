// Of an interface library, which says what its id is.
#pragma once

#include <functional>

#include "till_id.h"

namespace market {

class [[autoshard::entity]] Till {
 public:
  explicit Till(TillId id) : id_(id) {}

  [[autoshard::shard_method]] void sell(int pieces) { sold_ += pieces; }
  long sold() const { return sold_; }

 private:
  [[autoshard::id]] TillId id_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long sold_ = 0;
};

}  // namespace market
