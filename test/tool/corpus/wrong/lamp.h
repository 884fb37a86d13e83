#pragma once
#include <functional>

namespace smart_home {

// Like a C struct, as everything here.
struct [[autoshard::entity]] lamp {
  [[autoshard::id]] unsigned id = 0;
  unsigned char brightness = 255;
  [[autoshard::shardable(neutral = 0u, shards = 2, fold = std::plus<>{})]] unsigned switched = 0;  // expect: autoshard-not-private

  [[autoshard::shard_method]] void toggle() { ++switched; }
};

}  // namespace smart_home
