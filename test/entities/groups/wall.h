// A group of an entity whose id is a text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace forum {

class [[autoshard::entity]] Wall {
 public:
  explicit Wall(std::string name, std::vector<std::string> lines = {})
      : name_(std::move(name)), lines_(std::move(lines)) {}

  [[autoshard::shard_method]] void write(const std::string& line) { lines_.push_back(line); }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shard_group(shards = 2)]] std::vector<std::string> lines_;
};

}  // namespace forum
