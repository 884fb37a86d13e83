// The version of the class Page that bounds the clicks of all time.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

namespace pages {

class [[autoshard::entity("Page")]] BoundedPage {
 public:
  explicit BoundedPage(int number, long clicks = 0) : number_(number), clicks_(clicks) {}

  int number() const { return number_; }
  long clicks() const { return clicks_; }
  int slowest() const { return static_cast<int>(slowest_); }

  [[autoshard::shard_method]] void click(long times, int milliseconds) {
    clicks_ += times;
    slowest_ = std::max(slowest_, static_cast<unsigned>(milliseconds));
  }
  [[autoshard::shard_write]] void count_from(long clicks) { clicks_ = clicks; }

  std::string title;

 private:
  /// Of natural numbers: 0 is the neutral value.
  [[autoshard::shard_fold(slowest_)]] static unsigned greater(unsigned x, unsigned y) {
    return x > y ? x : y;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 3, fold = std::plus<>{}, min = 0, max = 100)]] long clicks_ =
      0;
  [[autoshard::shardable(neutral = 0, shards = 1)]] unsigned slowest_ = 0;
};

}  // namespace pages
