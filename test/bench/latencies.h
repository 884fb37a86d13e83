#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace autoshard::bench {

/// Durations, in buckets that are 3 % wide: any number of them takes a few kilobytes.
class Latencies {
 public:
  void add(std::chrono::nanoseconds duration);
  void add(const Latencies& others);

  std::uint64_t count() const { return count_; }

  /// The duration, in microseconds, that this share of them does not exceed; 0 if there are none.
  double quantile(double share) const;

 private:
  static constexpr unsigned kPrecision = 5;  // bits
  static constexpr std::size_t kBuckets = std::size_t{64 - kPrecision} << kPrecision;

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace autoshard::bench
