#pragma once
#include <string>
#include <vector>

namespace waiting_list {

class [[autoshard::entity]] Event {
 public:
  explicit Event(int number) : number_(number) {}
  // wrong:
  [[autoshard::shard_method]] void join(const std::string& name) {
    if (waiting_.size() < 100) {
    // expect: autoshard-group-addition: shard method 'join' does more than add to the group 'waiting_', of
    //     which a shard holds only what is added; add in a statement of its own, with 'push_back',
    //     'emplace_back' or 'insert' at its end; remove with 'erase_element' of the mapper
      waiting_.push_back(name);
    }
  // right:
  // [[autoshard::shard_method]] void join(const std::string& name) {
  //   waiting_.push_back(name);
  }
  [[autoshard::shard_method]] void join_all(const std::vector<std::string>& names) {
    for (const std::string& name : names) waiting_.push_back(name);
  }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shard_group(shards = 4)]] std::vector<std::string> waiting_;
};

}  // namespace waiting_list
