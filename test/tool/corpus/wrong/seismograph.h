#pragma once
#include <stdexcept>
#include <string>

namespace earth {

class [[autoshard::entity]] Seismograph {
 public:
  explicit Seismograph(std::string station) : station_(std::move(station)) {}

  [[autoshard::shard_method]] void shake(unsigned long count) { shakes_ += count; }
  unsigned long shakes() const { return shakes_; }

 private:
  [[autoshard::shard_fold]] static unsigned long sum(unsigned long x, unsigned long y) {
    // wrong:
    if (x + y > 1'000'000) throw std::length_error("too many for the display");
    // expect: autoshard-fold-throw: shard fold 'sum' throws, and the entity cannot be loaded while it does;
    //     return a value for every two
    return x + y;
    // right:
    // return x + y;
  }

  [[autoshard::id]] std::string station_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] unsigned long shakes_ = 0;
};

}  // namespace earth
