// Statistics: counts, sums, extremes and histograms, and what a mean or a variance is computed from.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace statistics {

/// What a mean is computed from.
class [[autoshard::entity]] Mean {
 public:
  explicit Mean(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void sample(std::int32_t value) {
    parts_.sum += value;
    ++parts_.count;
  }
  double mean() const { return static_cast<double>(parts_.sum) / parts_.count; }

 private:
  struct Parts {
    std::int64_t sum = 0;
    std::int32_t count = 0;
  };
  [[autoshard::shard_fold]] static Parts add(const Parts& a, const Parts& b) {
    return {a.sum + b.sum, a.count + b.count};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Parts parts_;
};

/// Count, sum and both extremes in one struct.
struct Summary {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();

  constexpr void add(std::int64_t value) {
    ++count;
    sum += value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  constexpr Summary& merge(const Summary& other) {
    count += other.count;
    sum += other.sum;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    return *this;
  }
};

class [[autoshard::entity]] Latencies {
 public:
  explicit Latencies(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  [[autoshard::shard_method]] void observe(std::int64_t micros) { summary_.add(micros); }
  [[autoshard::shard_write]] void restart() { summary_ = {}; }
  const Summary& summary() const { return summary_; }

 private:
  [[autoshard::shard_fold]] static Summary merged(Summary a, const Summary& b) { return a.merge(b); }

  [[autoshard::id]] std::string endpoint_;
  [[autoshard::shardable(neutral = {}, shards = 16)]] Summary summary_;
};

/// The first moments in integers.
class [[autoshard::entity]] Moments {
 public:
  explicit Moments(int series) : series_(series) {}
  [[autoshard::shard_method]] void sample(std::int16_t value) {
    const std::int64_t wide = value;
    ++moments_[0];
    moments_[1] += wide;
    moments_[2] += wide * wide;
    moments_[3] += wide * wide * wide;
  }
  std::int64_t moment(std::size_t n) const { return moments_.at(n); }

 private:
  using Powers = std::array<std::int64_t, 4>;
  [[autoshard::shard_fold]] static Powers add(Powers a, const Powers& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int series_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Powers moments_{};
};

/// What a line of regression is computed from.
class [[autoshard::entity]] Regression {
 public:
  explicit Regression(int series) : series_(series) {}
  [[autoshard::shard_method]] void sample(std::int32_t x, std::int32_t y) {
    auto& [count, sx, sy, sxx, sxy] = sums_;
    ++count;
    sx += x;
    sy += y;
    sxx += std::int64_t{x} * x;
    sxy += std::int64_t{x} * y;
  }
  std::int64_t count() const { return std::get<0>(sums_); }

 private:
  using Sums = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  [[autoshard::shard_fold]] static Sums add(const Sums& a, const Sums& b) {
    const auto& [a0, a1, a2, a3, a4] = a;
    const auto& [b0, b1, b2, b3, b4] = b;
    return {a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4};
  }

  [[autoshard::id]] int series_;
  [[autoshard::shardable(neutral = Sums{}, shards = 4)]] Sums sums_;
};

/// A histogram with buckets of powers of two.
class [[autoshard::entity]] Sizes {
 public:
  explicit Sizes(std::string folder) : folder_(std::move(folder)) {}
  [[autoshard::shard_method]] void add(std::uint16_t size) {
    ++buckets_[static_cast<std::size_t>(std::bit_width(size))];
  }
  std::uint64_t bucket(std::size_t width) const { return buckets_.at(width); }

 private:
  using Buckets = std::array<std::uint64_t, 17>;
  [[autoshard::shard_fold]] static Buckets add_up(Buckets a, const Buckets& b) {
    std::size_t i = 0;
    for (std::uint64_t& bucket : a) bucket += b[i++];
    return a;
  }

  [[autoshard::id]] std::string folder_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Buckets buckets_{};
};

/// A histogram with named buckets, a struct of its own for each.
class [[autoshard::entity]] Ages {
 public:
  explicit Ages(int city) : city_(city) {}
  [[autoshard::shard_method]] void add(int age) {
    if (age < 18) {
      ++groups_.children;
    } else if (age < 65) {
      ++groups_.adults;
    } else {
      ++groups_.elders;
    }
  }
  unsigned children() const { return groups_.children; }

 private:
  struct Groups {
    unsigned children = 0, adults = 0, elders = 0;
    Groups operator+(const Groups& other) const {
      return {children + other.children, adults + other.adults, elders + other.elders};
    }
  };

  [[autoshard::id]] int city_;
  [[autoshard::shardable(neutral = Groups{}, shards = 8, fold = std::plus<>{})]] Groups groups_;
};

/// Where points lie.
class [[autoshard::entity]] Outline {
 public:
  explicit Outline(int shape) : shape_(shape) {}
  [[autoshard::shard_method]] void point(std::int32_t x, std::int32_t y) { box_ = hull(box_, {x, y, x, y}); }
  bool is_empty() const { return box_.left > box_.right; }

 private:
  using Limits = std::numeric_limits<std::int32_t>;
  struct Box {
    std::int32_t left = Limits::max(), top = Limits::max();
    std::int32_t right = Limits::min(), bottom = Limits::min();
  };
  [[autoshard::shard_fold]] static Box hull(const Box& a, const Box& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
  }

  [[autoshard::id]] int shape_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Box box_;
};

/// The least and the greatest, where there are any.
class [[autoshard::entity]] Range {
 public:
  explicit Range(int channel) : channel_(channel) {}
  [[autoshard::shard_method]] void sample(int value) { range_ = wider(range_, std::pair(value, value)); }
  bool is_empty() const { return !range_.has_value(); }

 private:
  using Ends = std::optional<std::pair<int, int>>;
  [[autoshard::shard_fold]] static Ends wider(const Ends& a, const Ends& b) {
    if (!a) return b;
    if (!b) return a;
    return std::pair(std::min(a->first, b->first), std::max(a->second, b->second));
  }

  [[autoshard::id]] int channel_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 4)]] Ends range_;
};

/// When a thing was seen first, and when last.
class [[autoshard::entity]] Sightings {
 public:
  explicit Sightings(std::string bird) : bird_(std::move(bird)) {}
  [[autoshard::shard_method]] void see(std::chrono::sys_seconds when) {
    first_ = std::min(first_, when);
    last_ = std::max(last_, when);
  }
  std::chrono::seconds span() const { return last_ - first_; }

 private:
  using Time = std::chrono::sys_seconds;
  [[autoshard::shard_fold(first_)]] static Time earlier(Time a, Time b) { return a < b ? a : b; }
  [[autoshard::shard_fold(last_)]] static Time later(Time a, Time b) { return a < b ? b : a; }

  [[autoshard::id]] std::string bird_;
  [[autoshard::shardable(neutral = Time::max(), shards = 2)]] Time first_ = Time::max();
  [[autoshard::shardable(neutral = Time::min(), shards = 2)]] Time last_ = Time::min();
};

/// The greatest common step of all distances.
class [[autoshard::entity]] Raster {
 public:
  explicit Raster(int plan) : plan_(plan) {}
  [[autoshard::shard_method]] void distance(std::uint32_t millimetres) {
    step_ = std::gcd(step_, millimetres);
  }
  std::uint32_t step() const { return step_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t common(std::uint32_t a, std::uint32_t b) {
    return std::gcd(a, b);
  }

  [[autoshard::id]] int plan_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint32_t step_ = 0;
};

/// The sample that lies farthest from zero; of 5 and -5 it is 5.
class [[autoshard::entity]] Swing {
 public:
  explicit Swing(int axis) : axis_(axis) {}
  [[autoshard::shard_method]] void sample(std::int32_t value) { widest_ = wider(widest_, value); }
  std::int32_t widest() const { return widest_; }

 private:
  static constexpr std::int64_t size(std::int64_t value) { return value < 0 ? -value : value; }
  [[autoshard::shard_fold]] static std::int32_t wider(std::int32_t a, std::int32_t b) {
    if (size(a) != size(b)) return size(a) > size(b) ? a : b;
    return std::max(a, b);
  }

  [[autoshard::id]] int axis_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::int32_t widest_ = 0;
};

/// Counts of counts: every sample counts for all thresholds that it reaches.
class [[autoshard::entity]] Thresholds {
 public:
  explicit Thresholds(int test) : test_(test) {}
  [[autoshard::shard_method]] void sample(int value) {
    constexpr std::array kLimits = {10, 100, 1000, 10000};
    for (std::size_t i = 0; i < kLimits.size(); ++i) {
      if (value < kLimits[i]) return;
      ++reached_[i];
    }
  }
  long reached(std::size_t threshold) const { return reached_.at(threshold); }

 private:
  using Counts = std::array<long, 4>;
  [[autoshard::shard_fold]] static Counts add(Counts a, Counts b) {
    for (std::size_t i = 0; i != 4; ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int test_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts reached_{};
};

}  // namespace statistics
