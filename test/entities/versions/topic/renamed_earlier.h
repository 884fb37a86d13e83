// A later version than GroupedTopic: its names sort before those of today.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forum {

class [[autoshard::entity("Topic")]] RenamedEarlierTopic {
 public:
  using Stars = std::map<std::string, int>;

  explicit RenamedEarlierTopic(int id) : id_(id) {}

  [[autoshard::shard_method]] void add_post(const std::string& text) { articles_.push_back(text); }
  [[autoshard::shard_method]] void rate(const std::string& reader, int stars) {
    marks_.insert_or_assign(reader, stars);
  }

  const std::vector<std::string>& posts() const { return articles_; }
  const Stars& stars() const { return marks_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("posts")]] std::vector<std::string> articles_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("stars")]] Stars marks_;
};

}  // namespace forum
