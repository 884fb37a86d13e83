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
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8)]] double km_ = 0;
  // expect: autoshard-no-fold: sharded member 'km_' has no fold; mark a method such as 'static double
  //     fold(double x, double y)' [[autoshard::shard_fold]], or add an argument such as 'fold =
  //     std::plus<>{}'
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] double km_ = 0;
};

}  // namespace taxi
