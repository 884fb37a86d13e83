#pragma once
#include <string>

namespace taxi {

class [[autoshard::entity]] Company {
 public:
  explicit Company(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void ride(double km) {
    rides_ += 1;
    km_ += km;
  }

 private:
  [[autoshard::shard_fold]] static int addRides(int a, int b) { return a + b; }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] int rides_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 8)]] double km_ = 0;  // expect: autoshard-no-fold
};

}  // namespace taxi
