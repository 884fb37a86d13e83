#pragma once
#include <functional>
#include <string>
#include <utility>

namespace clinic {

inline constexpr int kShelves = 12;
inline constexpr int kBagsOnAShelf = 40;

class [[autoshard::entity]] BloodBank {
 public:
  // wrong:
  explicit BloodBank(std::string group) : group_(std::move(group)), bags_(500) {}
  // expect: autoshard-bounds-initial: 'bags_' begins with 500, but is to be at most 480, so it could never be
  //     saved; begin within the bounds, or change them
  // right:
  // explicit BloodBank(std::string group) : group_(std::move(group)), bags_(400) {}

  [[autoshard::shard_method]] void donate() { ++bags_; }
  [[autoshard::shard_method]] void transfuse(int bags) { bags_ -= bags; }
  int bags() const { return bags_; }

 private:
  [[autoshard::id]] std::string group_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{}, min = 0, max = kShelves * kBagsOnAShelf)]]
  int bags_;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{}, min = 0, max = kShelves * kBagsOnAShelf)]]
  // int bags_;
};

}  // namespace clinic
