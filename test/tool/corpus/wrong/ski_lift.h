#pragma once
#include <algorithm>
#include <string>

namespace ski {

class [[autoshard::entity]] Lift {
 public:
  explicit Lift(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void frost(int celsius) { coldest_ = std::min(coldest_, celsius); }
  [[autoshard::shard_write]] void begin_season(int celsius) { coldest_ = celsius; }

 private:
  // wrong:
  [[autoshard::shard_fold]] static int colder(int a, int b) { return a < b ? a : b; }
  // right:
  // [[autoshard::shard_fold]] static int colder(int a, int b) { return a < b ? a : b; }

  [[autoshard::id]] std::string name_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 4)]] int coldest_ = 0;
  // expect: autoshard-neutral-not-identity: colder(1, 0) is 0, so 0 is not neutral; a shard that was never
  //     written must not change the fold; write 'neutral = std::numeric_limits<int>::max()'
  // right:
  // [[autoshard::shardable(neutral = std::numeric_limits<int>::max(), shards = 4)]] int coldest_ = 0;
};

}  // namespace ski
