#ifndef COUNTER_H
#define COUNTER_H

#include <string>
#include <utility>

namespace metrics {

/// Counts, in a way that makes its lines tell.
class [[autoshard::entity]] Counter {
 public:
  explicit Counter(std::string name) : name_(std::move(name)) {}

  [[autoshard::shard_method]] int add(
      int pieces,
      int more = 0)
  {
    const int line = __LINE__;
    count_ += pieces;
    if (more > 0) {
      count_ += more;
    }
    return line;
  }
  [[autoshard::shard_method]] void increment() { ++count_; }
  [[autoshard::shard_fold]] static int sum(int x, int y) { return x + y; }

  int count() const { return count_; }
  static int line() { return __LINE__; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0,
                         shards = 4)]]
  int count_ = 0;
};

inline int line_behind() { return __LINE__; }

}  // namespace metrics

#endif
