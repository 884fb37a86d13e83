// A class as it was before profile.h.
#pragma once

#include <string>
#include <utility>

namespace forum::v1 {

class [[autoshard::entity("Profile")]] Profile {
 public:
  Profile(int number, std::string nick) : number_(number), nick_(std::move(nick)) {}
  [[autoshard::shard_method]] void like() { ++likes_; }
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }
  const std::string& nick() const { return nick_; }
  int likes() const { return likes_; }

 private:
  [[autoshard::id]] int number_;
  std::string nick_;
  int visits_ = 5;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int likes_ = 0;
};

}  // namespace forum::v1
