#pragma once
#include <string>

namespace guest_book {

class [[autoshard::entity]] Page {
 public:
  explicit Page(int number) : number_(number) {}
  [[autoshard::shard_method]] void sign(const std::string& name) { names_ += name; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shard_group(shards = 4)]] std::string names_;  // expect: autoshard-group-type
};

}  // namespace guest_book
