#pragma once
#include <functional>
#include <set>

namespace fair {

/// The next number of the drum, which is in another file.
int draw_number();

class [[autoshard::entity]] Raffle {
 public:
  explicit Raffle(int year) : year_(year) {}

  [[autoshard::shard_method]] void sell(int tickets) {
    for (int i = 0; i < tickets; ++i) sold_.insert(draw_number());  // expect: autoshard-shard-method-unseen-call
  }
  const std::set<int>& sold() const { return sold_; }

 private:
  [[autoshard::shard_fold]] static std::set<int> unite(std::set<int> x, const std::set<int>& y) {
    x.insert(y.begin(), y.end());
    return x;
  }

  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] std::set<int> sold_;
};

}  // namespace fair
