#pragma once

#include <functional>
#include <string>
#include <utility>

namespace tickets {

/// A concert whose tickets everybody wants in the same minute.
class [[autoshard::entity]] Concert {
 public:
  static constexpr int kSeats = 1000;

  explicit Concert(std::string name) : name_(std::move(name)) {}

  /// Throws `BoundExceeded` where so many are not free any more.
  [[autoshard::shard_method]] void buy(int tickets) { free_ -= tickets; }
  [[autoshard::shard_method]] void give_back(int tickets) { free_ += tickets; }

  const std::string& name() const { return name_; }
  int free() const { return free_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{}, min = 0, max = kSeats)]] int free_ =
      kSeats;
};

}  // namespace tickets
