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
  [[autoshard::shardable(neutral = 0, last = 60s, bucket = 1s, fold = std::plus<>{})]]  // expect: autoshard-window-dynamic
  int beats_ = 0;
};

}  // namespace clinic
