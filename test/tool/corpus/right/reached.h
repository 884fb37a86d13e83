// Laws that hold for the values that updates reach, and not for all. The law tests leave them out.
#pragma once

#include <algorithm>
#include <string>

namespace reached {

class [[autoshard::entity]] HighScore {
 public:
  explicit HighScore(std::string game) : game_(std::move(game)) {}
  [[autoshard::shard_method]] void play(int points) { best_ = better(best_, points); }
  int best() const { return best_; }

 private:
  [[autoshard::shard_fold]] static int better(int a, int b) { return std::max(a, b); }

  [[autoshard::id]] std::string game_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int best_ = 0;
};

class [[autoshard::entity]] Dial {
 public:
  explicit Dial(int number) : number_(number) {}
  [[autoshard::shard_method]] void turn(int degrees) { angle_ = (angle_ + (degrees % 360 + 360)) % 360; }
  int angle() const { return angle_; }

 private:
  [[autoshard::shard_fold]] static int both(int a, int b) {
    const int sum = a + b;
    return sum < 360 ? sum : sum - 360;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int angle_ = 0;
};

}  // namespace reached
