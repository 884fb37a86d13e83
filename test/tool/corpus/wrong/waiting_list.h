#pragma once
#include <string>
#include <vector>

namespace waiting_list {

class [[autoshard::entity]] Event {
 public:
  explicit Event(int number) : number_(number) {}
  [[autoshard::shard_method]] void join(const std::string& name) {
    if (waiting_.size() < 100) {  // expect: autoshard-group-addition
      waiting_.push_back(name);
    }
  }
  [[autoshard::shard_method]] void join_all(const std::vector<std::string>& names) {
    for (const std::string& name : names) waiting_.push_back(name);
  }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shard_group(shards = 4)]] std::vector<std::string> waiting_;
};

}  // namespace waiting_list
