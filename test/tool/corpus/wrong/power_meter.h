#pragma once
#include <chrono>
#include <functional>

namespace energy {

class [[autoshard::entity]] Meter {
 public:
  explicit Meter(long number) : number_(number) {}

  template <typename Rep, typename Period>
  [[autoshard::shard_method]] void ran(std::chrono::duration<Rep, Period> time) {  // expect: autoshard-shard-method-template
    running_ += std::chrono::duration_cast<std::chrono::seconds>(time);
  }

 private:
  [[autoshard::id]] long number_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::plus<>{})]] std::chrono::seconds running_{};
};

}  // namespace energy
