// A version that kept what was added within the last hour.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forum {

class [[autoshard::entity("Topic")]] WindowedTopic {
 public:
  using Posts = std::vector<std::string>;
  using Stars = std::map<std::string, int>;

  explicit WindowedTopic(int id) : id_(id) {}

  [[autoshard::shard_method]] void add_post(const std::string& text) { posts_.push_back(text); }
  [[autoshard::shard_method]] void rate(const std::string& reader, int stars) {
    stars_ = most(std::move(stars_), {{reader, stars}});
  }
  [[autoshard::shard_method]] void review(const std::string& reader, int stars, const std::string& text) {
    stars_ = most(std::move(stars_), {{reader, stars}});
    posts_.push_back(text);
  }

  const Posts& posts() const { return posts_; }
  const Stars& stars() const { return stars_; }

 private:
  static Posts join(Posts x, const Posts& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
  }
  /// Of a reader the most stars: shards do not say which of two values is the later one.
  static Stars most(Stars x, const Stars& y) {
    for (const auto& [reader, stars] : y) {
      const auto [at, is_new] = x.try_emplace(reader, stars);
      if (!is_new) at->second = std::max(at->second, stars);
    }
    return x;
  }

  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = {}, fold = join, order = any, shards = 2, last = 1h,
                         bucket = 1min)]] Posts posts_;
  [[autoshard::shardable(neutral = {}, fold = most, shards = 2, last = 1h, bucket = 1min)]] Stars stars_;
};

}  // namespace forum
