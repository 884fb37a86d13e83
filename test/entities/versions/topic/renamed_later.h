// A later version than GroupedTopic: its names sort behind those of today.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forum {

class [[autoshard::entity("Topic")]] RenamedLaterTopic {
 public:
  using Stars = std::map<std::string, int>;

  explicit RenamedLaterTopic(int id) : id_(id) {}

  [[autoshard::shard_method]] void add_post(const std::string& text) { writings_.push_back(text); }
  [[autoshard::shard_method]] void rate(const std::string& reader, int stars) {
    votes_.insert_or_assign(reader, stars);
  }

  const std::vector<std::string>& posts() const { return writings_; }
  const Stars& stars() const { return votes_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("posts")]] std::vector<std::string> writings_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("stars")]] Stars votes_;
};

}  // namespace forum
