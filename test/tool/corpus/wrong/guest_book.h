#pragma once
// wrong:
#include <string>
// right:
// #include <string>
// #include <vector>

namespace guest_book {

class [[autoshard::entity]] Page {
 public:
  explicit Page(int number) : number_(number) {}
  // wrong:
  [[autoshard::shard_method]] void sign(const std::string& name) { names_ += name; }
  // right:
  // [[autoshard::shard_method]] void sign(const std::string& name) { names_.push_back(name); }

 private:
  [[autoshard::id]] int number_;
  // wrong:
  [[autoshard::shard_group(shards = 4)]] std::string names_;
  // expect: autoshard-group-type: 'names_' has type 'std::string'; a group is a vector, deque, list, set,
  //     unordered_set, map or unordered_map, so use one of these, or [[autoshard::shardable]]
  // right:
  // [[autoshard::shard_group(shards = 4)]] std::vector<std::string> names_;
};

}  // namespace guest_book
