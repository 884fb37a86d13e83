// Defined in a source of its own, and included by its own name.
#pragma once

#include <string>

namespace shop {

class [[autoshard::entity]] Basket {
 public:
  explicit Basket(std::string customer);

  /// Puts some pieces in, and returns how many these are.
  [[autoshard::shard_method]] long put(int pieces, const std::string& unit = "piece");
  [[autoshard::shard_method]] Basket& take_one() noexcept {
    --pieces_;
    return *this;
  }

  long pieces() const;

 private:
  [[autoshard::shard_fold]] static long add(long x, long y);

  [[autoshard::id]] std::string customer_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long pieces_ = 0;
};

}  // namespace shop
