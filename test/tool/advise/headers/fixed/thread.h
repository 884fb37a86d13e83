// A forum: what readers do to a thread, most of which commutes.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace forum {

class [[autoshard::entity]] Thread {
 public:
  Thread(int id, std::string title) : id_(id), title_(std::move(title)) {}

  [[autoshard::shard_method]] void view() { ++views_; }
  [[autoshard::shard_method]] void vote(int n) { score_ += n; }
  [[autoshard::shard_method]] void seen(long when) {
    if (when > last_) last_ = when;
  }
  [[autoshard::shard_method]] void best(int n) { best_ = std::max(best_, n); }
  [[autoshard::shard_method]]
  void follow(const std::string& user) { followers_.insert(user); }
  [[autoshard::shard_method]]
  void react(const std::string& emoji, int n = 1) { reactions_[emoji] += n; }
  [[autoshard::shard_method]] void reply(int post) { replies_.push_back(post); }
  [[autoshard::shard_method]] void merge(const Thread& other) {
    replies_.insert(replies_.end(), other.replies_.begin(),
                    other.replies_.end());
  }
  void rename(std::string title) { title_ = std::move(title); }
  [[autoshard::shard_method]] void spam() { ++spam_; }
  [[autoshard::shard_write]] void reset() { spam_ = 0; }

  int views() const { return views_; }

 private:
  [[autoshard::id]] int id_;
  std::string title_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  int views_ = 0, score_ = 0;
  [[autoshard::shardable(neutral = std::numeric_limits<long>::min(),
                         shards = 10,
                         fold = [](auto x, auto y) { return x < y ? y : x; })]]
  long last_ = 0;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 10,
                         fold = [](auto x, auto y) { return x < y ? y : x; })]]
  int best_ = 0;
  [[autoshard::shard_group(shards = 8)]] std::set<std::string> followers_;
  [[autoshard::shardable(neutral = {}, shards = 10,
                         fold = [](auto x, const auto& y) {
                           for (const auto& [key, value] : y) x[key] += value;
                           return x;
                         })]]
  std::map<std::string, int> reactions_;
  [[autoshard::shard_group(shards = 8)]] std::vector<int> replies_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  int spam_ = 0;
};

}  // namespace forum
