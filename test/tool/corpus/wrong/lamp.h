#pragma once
#include <functional>

namespace smart_home {

// Like a C struct, as everything here.
struct [[autoshard::entity]] lamp {
  [[autoshard::id]] unsigned id = 0;
  unsigned char brightness = 255;
  // wrong:
  [[autoshard::shardable(neutral = 0u, shards = 2, fold = std::plus<>{})]] unsigned switched = 0;
  // expect: autoshard-not-private: sharded member 'switched' is not private; move it below 'private:', so
  //     that only shard methods change it

  [[autoshard::shard_method]] void toggle() { ++switched; }
  // right:
  // [[autoshard::shard_method]] void toggle() { ++switched; }
  //
  // private:
  //  [[autoshard::shardable(neutral = 0u, shards = 2, fold = std::plus<>{})]] unsigned switched = 0;
};

}  // namespace smart_home
