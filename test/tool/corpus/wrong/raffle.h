#pragma once
#include <functional>
#include <set>

namespace fair {

/// The next number of the drum, which is in another file.
// wrong:
int draw_number();
// right:
// [[gnu::pure]] int number_of(int ticket);

class [[autoshard::entity]] Raffle {
 public:
  explicit Raffle(int year) : year_(year) {}

  // wrong:
  [[autoshard::shard_method]] void sell(int tickets) {
    for (int i = 0; i < tickets; ++i) sold_.insert(draw_number());
    // expect: autoshard-shard-method-unseen-call: shard method 'sell' calls 'draw_number', which is only
    //     declared, so it may have an effect; mark it [[gnu::pure]] if it only computes, or call it before
    //     the update and pass its result
  // right:
  // [[autoshard::shard_method]] void sell(int ticket) {
  //   sold_.insert(number_of(ticket));
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
