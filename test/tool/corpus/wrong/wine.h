#pragma once
#include <string>

namespace cellar {

struct [[autoshard::entity]] Wine {
  [[autoshard::id]] long number = 0;
  // wrong:
  std::string name;
  std::string name_;
  // expect: autoshard-stored-name: 'name_' and 'name' are both called 'name' in the record; rename one of
  //     them
  // right:
  // std::string name;
  // std::string vintner;

  [[autoshard::shard_method]] Wine& drink(int bottles) {
    drunk -= bottles;
    return *this;
  }

 private:
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }
  [[autoshard::shardable(neutral = 0, shards = 3)]] int drunk = 0;
};

}  // namespace cellar
