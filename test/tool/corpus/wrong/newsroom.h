#pragma once
#include <string>

namespace news {

class [[autoshard::entity]] Headline {
 public:
  explicit Headline(long id) : id_(id) {}
  [[autoshard::shard_method]] void clicked(int n) { clicks_ += n; }

  // wrong:
  // The later writer has the newer count, if it has one.
  [[autoshard::shard_fold]] static int newer(int before, int now) { return now == 0 ? before : now; }
  // expect: autoshard-fold-not-commutative: newer(1, 2) is 2 but newer(2, 1) is 1; shards are folded in no
  //     particular order; where it chooses one of two, let the values decide, not their places
  // right:
  // [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

 private:
  [[autoshard::id]] long id_;
  std::string text_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int clicks_ = 0;
};

}  // namespace news
