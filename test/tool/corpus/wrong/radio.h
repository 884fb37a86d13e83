#pragma once
#include <functional>
#include <string>

namespace radio {

/// A handle of the tuner's library.
class Antenna {
 public:
  // wrong:
  explicit Antenna(int channel) : channel_(channel) {}
  // right:
  // explicit Antenna(int channel = 0) : channel_(channel) {}
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
  // wrong:
  [[autoshard::transient]] Antenna antenna_;
  // expect: autoshard-no-default: transient member 'antenna_' has type 'radio::Antenna', which cannot be
  //     constructed without arguments when a record is loaded; give it an initialiser
  // right:
  // [[autoshard::transient]] Antenna antenna_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int listeners_ = 0;
};

}  // namespace radio
