#pragma once
#include <string>
#include <utility>

namespace login {

#define GUARD_BUCKET 2min

class [[autoshard::entity("LoginGuard")]] Guard {
 public:
  explicit Guard(std::string account) : account_(std::move(account)) {}

  [[autoshard::shard_method]] void failed() { ++failures_; }
  [[autoshard::shard_write]] void succeeded() { failures_ = 0; }
  bool isLocked() const { return failures_ >= 10; }

 private:
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

  [[autoshard::id]] std::string account_;
  [[autoshard::shardable(neutral = 0, shards = 2,
                         last = 15min,  // expect: autoshard-window-buckets
                         bucket = GUARD_BUCKET)]]
  int failures_ = 0;
};

#undef GUARD_BUCKET

}  // namespace login
