#pragma once
#include <functional>
#include <string>
#include <utility>

namespace clinic {

inline constexpr int kShelves = 12;
inline constexpr int kBagsOnAShelf = 40;

class [[autoshard::entity]] BloodBank {
 public:
  explicit BloodBank(std::string group) : group_(std::move(group)), bags_(500) {}  // expect: autoshard-bounds-initial

  [[autoshard::shard_method]] void donate() { ++bags_; }
  [[autoshard::shard_method]] void transfuse(int bags) { bags_ -= bags; }
  int bags() const { return bags_; }

 private:
  [[autoshard::id]] std::string group_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{}, min = 0, max = kShelves * kBagsOnAShelf)]]
  int bags_;
};

}  // namespace clinic
