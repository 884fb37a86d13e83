#pragma once
#include <functional>
#include <string>

namespace hospital {

class [[autoshard::entity]] PlasmaBank {
 public:
  // wrong:
  [[autoshard::shard_method]] explicit PlasmaBank(std::string group, int bags = 0)
  // expect: autoshard-shard-method-constructor: a constructor, destructor or assignment cannot be a shard
  //     method; remove the attribute
      : group_(std::move(group)), bags_(bags) {}
  // right:
  // explicit PlasmaBank(std::string group, int bags = 0)
  //     : group_(std::move(group)), bags_(bags) {}
  [[autoshard::shard_method]] void Give(int bags) { bags_ -= bags; }

 private:
  [[autoshard::id]] std::string group_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int bags_;
};

}  // namespace hospital
