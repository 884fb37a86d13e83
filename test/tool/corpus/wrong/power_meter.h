#pragma once
#include <chrono>
#include <functional>

namespace energy {

class [[autoshard::entity]] Meter {
 public:
  explicit Meter(long number) : number_(number) {}

  // wrong:
  template <typename Rep, typename Period>
  [[autoshard::shard_method]] void ran(std::chrono::duration<Rep, Period> time) {
  // expect: autoshard-shard-method-template: shard method 'ran' is a template; write an overload for each
  //     type
    running_ += std::chrono::duration_cast<std::chrono::seconds>(time);
  // right:
  // [[autoshard::shard_method]] void ran(std::chrono::seconds time) {
  //   running_ += time;
  }

 private:
  [[autoshard::id]] long number_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::plus<>{})]] std::chrono::seconds running_{};
};

}  // namespace energy
