#pragma once
// IoT: readings of one sensor that arrive through several gateways.
#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <string>

namespace iot {

enum class Severity { kNone, kWarning, kFailure };

class Sensor {
 public:
  Sensor(std::string site, std::string channel)
      : site_{std::move(site)}, channel_{std::move(channel)} {}

  void read(double value, std::chrono::system_clock::time_point at,
            std::chrono::milliseconds took) {
    sum_ += value;
    if (value < lowest_) lowest_ = value;
    if (value > highest_) highest_ = value;
    last_seen_ = std::max(last_seen_, at);
    busy_ += took;
  }
  void hour(std::size_t hour) { ++per_hour_[hour % 24]; }
  void alarm(Severity severity, std::string text) {
    worst_ = std::max(worst_, severity);
    alarms_.push_back(std::move(text));
  }
  void toggle(bool odd) { parity_ ^= odd; }

  double highest() const { return highest_; }
  Severity worst() const { return worst_; }

 private:
  [[autoshard::id]] std::string site_, channel_;
  double sum_ = 0;
  double lowest_ = 1e9, highest_ = -1e9;
  std::chrono::system_clock::time_point last_seen_;
  std::chrono::milliseconds busy_{};
  std::array<unsigned, 24> per_hour_{};
  Severity worst_ = Severity::kNone;
  std::deque<std::string> alarms_;
  bool parity_ = false;
};

}  // namespace iot
