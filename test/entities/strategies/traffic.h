// Sliding windows: sharded members that count the last buckets of time.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace traffic {

/// What happens on a page of a web site.
class [[autoshard::entity]] Page {
 public:
  explicit Page(std::string path) : path_(std::move(path)) {}

  [[autoshard::shard_method]] void click(const std::string& user) {
    ++clicks_;
    ++allClicks_;
    users_.insert(user);
  }
  [[autoshard::shard_method]] void serve(int milliseconds) {
    ++requests_;
    if (milliseconds > slowest_) slowest_ = milliseconds;
  }
  /// Lets all clients in again.
  [[autoshard::shard_write]] void forgive() { requests_ = 0; }

  std::int64_t clicks() const { return clicks_; }
  std::int64_t allClicks() const { return allClicks_; }
  int requests() const { return requests_; }
  int slowest() const { return slowest_; }
  const std::set<std::string>& users() const { return users_; }

 private:
  [[autoshard::shard_fold(slowest_)]] static int slower(int one, int other) { return one > other ? one : other; }
  [[autoshard::shard_fold]] static std::set<std::string> unite(std::set<std::string> one,
                                                               const std::set<std::string>& other) {
    one.insert(other.begin(), other.end());
    return one;
  }

  [[autoshard::id]] std::string path_;
  // The clicks of the last day, and those of all time.
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, last = 24h, bucket = 1h)]] std::int64_t clicks_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::int64_t allClicks_ = 0;
  // The requests of the last minute, by which clients are held back.
  [[autoshard::shardable(neutral = 0, last = 60s, bucket = 1s, shards = adaptive(1, 8), fold = std::plus<>{})]] int
      requests_ = 0;
  // One bucket: a new week begins with nothing.
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 2, last = 7d, bucket = 7d)]] int slowest_ =
      std::numeric_limits<int>::min();
  [[autoshard::shardable(neutral = {}, shards = 1, last = 90min, bucket = 5min)]] std::set<std::string> users_;
};

}  // namespace traffic
