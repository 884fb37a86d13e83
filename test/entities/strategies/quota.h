// A shard method and a fold that refuse values by exceptions.
#pragma once

#include <stdexcept>

namespace shop {

class [[autoshard::entity]] Quota {
 public:
  explicit Quota(int number) : number_(number) {}

  [[autoshard::shard_method]] void use(int amount) {
    if (amount < 0) throw std::invalid_argument("negative");
    used_ += amount;
  }
  int used() const { return used_; }

 private:
  static int add(int x, int y) {
    if (x + y > 100) throw std::out_of_range("above the limit");
    return x + y;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = add)]] int used_ = 0;
};

}  // namespace shop
