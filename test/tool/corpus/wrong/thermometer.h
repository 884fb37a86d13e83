#pragma once
#include <functional>
#include <string>

namespace lab {

/// Drifts, and is adjusted now and then.
class [[autoshard::entity]] Thermometer {
 public:
  explicit Thermometer(int serial) : serial_(serial) {}
  [[autoshard::shard_method]] void drifted(long micro_kelvin) { offset_ += micro_kelvin; }
  // wrong:
  [[autoshard::shard_write]] void adjust(long micro_kelvin) {
  // expect: autoshard-write-not-replacing: adjust(1) on 1 leaves 1, but on 2 leaves 2; a shard write replaces
  //     the value, whatever that was before
    if (micro_kelvin > offset_) offset_ = micro_kelvin;
  }
  // right:
  // [[autoshard::shard_write]] void adjust(long micro_kelvin) { offset_ = micro_kelvin; }
  long offset() const { return offset_; }

 private:
  [[autoshard::id]] int serial_;
  std::string place_;
  [[autoshard::shardable(neutral = 0, shards = adaptive(1, 4), fold = std::plus<>{})]] long offset_ = 0;
};

}  // namespace lab
