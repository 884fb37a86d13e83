#pragma once
#include <functional>

namespace rpc {

// Every call is counted; the classes differ in their names only.
// wrong:
#define RPC_COUNTER(Name)                                                                        \
  class [[autoshard::entity]] Name {                                                             \
   public:                                                                                       \
    [[autoshard::shard_method]] void count() { ++calls_; }                                       \
                                                                                                 \
   private:                                                                                      \
    [[autoshard::id]] int id_ = 0;                                                               \
    [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long calls_ = 0; \
  }

RPC_COUNTER(PingCalls);
// expect: autoshard-entity-macro: 'PingCalls' comes out of a macro; write the class itself out (attributes
//     and members may still come out of macros)
// right:
// class [[autoshard::entity]] PingCalls {
//  public:
//   [[autoshard::shard_method]] void count() { ++calls_; }
//
//  private:
//   [[autoshard::id]] int id_ = 0;
//   [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long calls_ = 0;
// };

}  // namespace rpc
