// The version of the class Page with another name for its clicks.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

namespace pages {

class [[autoshard::entity("Page")]] FormerPage {
 public:
  explicit FormerPage(int number, long clicks = 0) : number_(number), hits_(clicks) {}

  int number() const { return number_; }
  long clicks() const { return hits_; }
  int slowest() const { return static_cast<int>(slowest_); }

  [[autoshard::shard_method]] void click(long times, int milliseconds) {
    hits_ += times;
    slowest_ = std::max(slowest_, static_cast<unsigned>(milliseconds));
  }
  [[autoshard::shard_write]] void count_from(long clicks) { hits_ = clicks; }

  std::string title;

 private:
  /// Of natural numbers: 0 is the neutral value.
  [[autoshard::shard_fold(slowest_)]] static unsigned greater(unsigned x, unsigned y) {
    return x > y ? x : y;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 3, fold = std::plus<>{}, last = 60s,
                         bucket = 10s)]] long hits_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 1, last = 60s, bucket = 10s)]] unsigned slowest_ = 0;
};

}  // namespace pages
