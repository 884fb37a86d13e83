// The oldest version of the class Topic: nothing is sharded, and a save writes both collections.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace forum {

class [[autoshard::entity("Topic")]] UnshardedTopic {
 public:
  explicit UnshardedTopic(int id) : id_(id) {}

  void add_post(const std::string& text) { posts_.push_back(text); }
  void rate(const std::string& reader, int stars) { stars_.insert_or_assign(reader, stars); }

 private:
  [[autoshard::id]] int id_;
  std::vector<std::string> posts_;
  std::map<std::string, int> stars_;
};

}  // namespace forum
