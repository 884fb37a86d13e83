#pragma once
// IoT: readings of one sensor that arrive through several gateways.
#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <string>

namespace iot {

enum class Severity { kNone, kWarning, kFailure };

class [[autoshard::entity]] Sensor {
 public:
  Sensor(std::string site, std::string channel)
      : site_{std::move(site)}, channel_{std::move(channel)} {}

  [[autoshard::shard_method]]
  void read(double value, std::chrono::system_clock::time_point at,
            std::chrono::milliseconds took) {
    sum_ += value;
    if (value < lowest_) lowest_ = value;
    if (value > highest_) highest_ = value;
    last_seen_ = std::max(last_seen_, at);
    busy_ += took;
  }
  [[autoshard::shard_method]]
  void hour(std::size_t hour) { ++per_hour_[hour % 24]; }
  [[autoshard::shard_method]] void alarm(Severity severity, std::string text) {
    worst_ = std::max(worst_, severity);
    alarms_.push_back(std::move(text));
  }
  [[autoshard::shard_method]] void toggle(bool odd) { parity_ ^= odd; }

  double highest() const { return highest_; }
  Severity worst() const { return worst_; }

 private:
  [[autoshard::id]] std::string site_, channel_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  double sum_ = 0;
  double lowest_
      [[autoshard::shardable(neutral = std::numeric_limits<double>::infinity(),
                             shards = 10,
                             fold = [](auto x, auto y) {
                               return y < x ? y : x;
                             })]] = 1e9, highest_
      [[autoshard::shardable(neutral = -std::numeric_limits<double>::infinity(),
                             shards = 10,
                             fold = [](auto x, auto y) {
                               return x < y ? y : x;
                             })]] = -1e9;
  [[autoshard::shardable(neutral = std::chrono::system_clock::time_point::min(),
                         shards = 10,
                         fold = [](auto x, auto y) { return x < y ? y : x; })]]
  std::chrono::system_clock::time_point last_seen_;
  [[autoshard::shardable(neutral = {}, shards = 10, fold = std::plus<>{})]]
  std::chrono::milliseconds busy_{};
  [[autoshard::shardable(neutral = {}, shards = 10,
                         fold = [](auto x, const auto& y) {
                           for (auto i = x.size(); i-- > 0;) x[i] += y[i];
                           return x;
                         })]]
  std::array<unsigned, 24> per_hour_{};
  [[autoshard::shardable(neutral = iot::Severity::kNone, shards = 10,
                         fold = [](auto x, auto y) { return x < y ? y : x; })]]
  Severity worst_ = Severity::kNone;
  [[autoshard::shard_group(shards = 8)]] std::deque<std::string> alarms_;
  [[autoshard::shardable(neutral = false, shards = 10,
                         fold = std::bit_xor<>{})]]
  bool parity_ = false;
};

}  // namespace iot
