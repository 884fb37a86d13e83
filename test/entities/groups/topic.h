// Groups: a sequence, a set and a map; and a number that one method changes together with a group.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace forum {

struct Post {
  std::string text;
  int likes = 0;

  friend bool operator==(const Post&, const Post&) = default;
};

class [[autoshard::entity]] Topic {
 public:
  explicit Topic(int id, std::vector<Post> posts = {}) : id_(id), posts_(std::move(posts)) {}

  [[autoshard::shard_method]] void add_post(const std::string& text) { posts_.push_back({text}); }
  [[autoshard::shard_method]] void read_by(const std::string& reader) {
    readers_.insert(reader);
    ++views_;
  }
  [[autoshard::shard_method]] void rate(const std::string& reader, int stars) {
    stars_.insert_or_assign(reader, stars);
  }
  [[autoshard::shard_method]] void view() { ++views_; }
  void set_title(std::string title) { title_ = std::move(title); }

  const std::string& title() const { return title_; }
  const std::vector<Post>& posts() const { return posts_; }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Post& post : posts_) texts.push_back(post.text);
    return texts;
  }
  const std::set<std::string>& readers() const { return readers_; }
  const std::map<std::string, int>& stars() const { return stars_; }
  int views() const { return views_; }

 private:
  [[autoshard::id]] int id_;
  std::string title_;
  [[autoshard::shard_group(shards = 8), autoshard::also_load("comments")]] std::vector<Post> posts_;
  [[autoshard::shard_group(shards = 4)]] std::set<std::string> readers_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("ratings")]] std::map<std::string, int> stars_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int views_ = 0;
};

}  // namespace forum
