#pragma once
#include <cstdio>
#include <functional>
#include <string>

namespace concert {

class [[autoshard::entity]] Concert {
 public:
  explicit Concert(long id) : id_(id) {}
  // wrong:
  [[autoshard::shard_method]] void applaud(int seconds) {
    applause_ += seconds;
    std::printf("applause: %d s\n", seconds);
    // expect: autoshard-shard-method-effect: shard method 'applaud' calls 'printf', but it runs more than
    //     once for one update; do that where the method is called
  // right:
  // [[autoshard::shard_method]] void applaud(int seconds) {
  //   applause_ += seconds;
  }

 private:
  [[autoshard::id]] long id_;
  std::string hall_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int applause_ = 0;
};

}  // namespace concert
