#pragma once
#include <functional>

namespace clinic {

class [[autoshard::entity]] HeartMonitor {
 public:
  explicit HeartMonitor(unsigned patient) : patient_(patient) {}
  [[autoshard::shard_method]] void beat() { ++beats_; }
  int beatsOfAMinute() const { return beats_; }

 private:
  [[autoshard::id]] unsigned patient_;
  // wrong:
  [[autoshard::shardable(neutral = 0, last = 60s, bucket = 1s, fold = std::plus<>{})]]
  // expect: autoshard-window-dynamic: 'beats_' has a window, which needs a number of shards; add 'shards =
  //     …', such as 'shards = 10' or 'shards = adaptive'
  int beats_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 2, last = 60s, bucket = 1s, fold = std::plus<>{})]]
  // int beats_ = 0;
};

}  // namespace clinic
