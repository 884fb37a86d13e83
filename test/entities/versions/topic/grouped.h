// Today's version of the class Topic: both collections are groups.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forum {

class [[autoshard::entity("Topic")]] GroupedTopic {
 public:
  using Stars = std::map<std::string, int>;

  explicit GroupedTopic(int id) : id_(id) {}

  [[autoshard::shard_method]] void add_post(const std::string& text) { posts_.push_back(text); }
  [[autoshard::shard_method]] void rate(const std::string& reader, int stars) {
    stars_.insert_or_assign(reader, stars);
  }

  const std::vector<std::string>& posts() const { return posts_; }
  const Stars& stars() const { return stars_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shard_group(shards = 4)]] std::vector<std::string> posts_;
  [[autoshard::shard_group(shards = 4)]] Stars stars_;
};

}  // namespace forum
