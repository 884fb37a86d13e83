#pragma once
#include <string>
#include <utility>

namespace login {

// wrong:
#define GUARD_BUCKET 2min
// right:
// #define GUARD_BUCKET 3min

class [[autoshard::entity("LoginGuard")]] Guard {
 public:
  explicit Guard(std::string account) : account_(std::move(account)) {}

  [[autoshard::shard_method]] void failed() { ++failures_; }
  [[autoshard::shard_write]] void succeeded() { failures_ = 0; }
  bool isLocked() const { return failures_ >= 10; }

 private:
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

  [[autoshard::id]] std::string account_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 2,
                         last = 15min,
                         // expect: autoshard-window-buckets: 'last' is '15min', which is no multiple of
                         //     'bucket', '2min'; change one of them
                         bucket = GUARD_BUCKET)]]
  int failures_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 2,
  //                        last = 15min,
  //                        bucket = GUARD_BUCKET)]]
  // int failures_ = 0;
};

#undef GUARD_BUCKET

}  // namespace login
