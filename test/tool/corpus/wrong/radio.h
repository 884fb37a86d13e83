#pragma once
#include <functional>
#include <string>

namespace radio {

/// A handle of the tuner's library.
class Antenna {
 public:
  explicit Antenna(int channel) : channel_(channel) {}
  int channel() const { return channel_; }

 private:
  int channel_;
};

class [[autoshard::entity]] RadioStation {
 public:
  RadioStation(std::string name, int channel) : name_(std::move(name)), antenna_(channel) {}
  [[autoshard::shard_method]] void heard() { ++listeners_; }
  int channel() const { return antenna_.channel(); }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::transient]] Antenna antenna_;  // expect: autoshard-no-default
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int listeners_ = 0;
};

}  // namespace radio
