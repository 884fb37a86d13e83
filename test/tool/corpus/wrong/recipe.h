#pragma once
#include <functional>
#include <string>
#include <vector>

namespace kitchen {

class [[autoshard::entity]] Recipe {
 public:
  Recipe(int no, std::string title) : no_{no}, title_{std::move(title)} {}
  [[autoshard::shard_method]] void cooked() { ++cooked_; }

 private:
  [[autoshard::id]] int no_;
  std::string title_;
  std::vector<std::string> steps_;
  // wrong:
  [[autoshard::shardable(neutral = 0,
                         shards = 4,
                         neutral = 0,
                         // expect: autoshard-duplicate: argument 'neutral' is given twice; remove one of them
                         fold = std::plus<>{})]] int cooked_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0,
  //                        shards = 4,
  //                        fold = std::plus<>{})]] int cooked_ = 0;
};

}  // namespace kitchen
