#pragma once
#include <functional>
#include <string>

namespace ticker {

// The front page shows what most people have read within the last hour.
class [[autoshard::entity]] Headline {
 public:
  explicit Headline(long number) : number_(number) {}
  [[autoshard::shard_method]] void read() { ++readers_; }
  int readers() const { return readers_; }

 private:
  [[autoshard::id]] long number_;
  std::string text_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = adaptive, last = 1h, bucket = 1min, fold = std::plus<>{})]]
  [[autoshard::index(staleness = 5)]]
  // expect: autoshard-window-index: 'readers_' has a window, so its value changes as time passes, and no
  //     index follows that; remove the index, or 'last' and 'bucket'
  int readers_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = adaptive, last = 1h, bucket = 1min, fold = std::plus<>{})]]
  // int readers_ = 0;
};

}  // namespace ticker
