// Floating-point numbers: sums and products but for rounding, and the least and greatest of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace reals {

/// Energy, by a meter that reads floats.
class [[autoshard::entity]] Meter {
 public:
  explicit Meter(int number) : number_(number) {}
  [[autoshard::shard_method]] void read(float watts) { joules_ += watts; }
  [[autoshard::shard_method]] void read_for(double watts, int seconds) { joules_ += watts * seconds; }
  [[autoshard::shard_method]] void give(double watts) {
    if (watts > 0) joules_ -= watts;
  }
  [[autoshard::shard_write]] void set(double joules) { joules_ = joules; }
  double joules() const { return joules_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0.0, shards = 4, fold = std::plus<>{})]] double joules_ = 0;
};

/// The chance that all parts hold.
class [[autoshard::entity]] Bridge {
 public:
  explicit Bridge(int number) : number_(number) {}
  [[autoshard::shard_method]] void age(float chance) { holds_ *= chance; }
  float holds() const { return holds_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 1.0f, shards = 4, fold = std::multiplies<>{})]] float holds_ = 1;
};

class [[autoshard::entity]] Weather {
 public:
  explicit Weather(int station) : station_(station) {}
  [[autoshard::shard_method]] void measure(double degrees) {
    warmest_ = std::max(warmest_, degrees);
    coldest_ = std::fmin(coldest_, degrees);
    far_ = std::abs(degrees) > far_ ? std::abs(degrees) : far_;
  }
  double range() const { return warmest_ - coldest_; }

 private:
  [[autoshard::shard_fold(warmest_, far_)]] static double greater(double a, double b) {
    return a < b ? b : a;
  }
  [[autoshard::shard_fold(coldest_)]] static double less(double a, double b) { return std::min(a, b); }

  [[autoshard::id]] int station_;
  [[autoshard::shardable(neutral = std::numeric_limits<double>::lowest(), shards = 4)]] double warmest_ =
      std::numeric_limits<double>::lowest();
  [[autoshard::shardable(neutral = std::numeric_limits<double>::infinity(), shards = 4)]] double coldest_ =
      std::numeric_limits<double>::infinity();
  [[autoshard::shardable(neutral = -std::numeric_limits<double>::infinity(), shards = 4)]] double far_ =
      -std::numeric_limits<double>::infinity();
};

/// Sums for mean and deviation.
class [[autoshard::entity]] Series {
 public:
  explicit Series(int number) : number_(number) {}
  [[autoshard::shard_method]] void add(double value) {
    moments_.sum += value;
    moments_.squares += value * value;
    moments_.count += 1;
    moments_.least = std::min(moments_.least, value);
  }
  double mean() const { return moments_.sum / static_cast<double>(moments_.count); }

 private:
  struct Moments {
    double sum = 0, squares = 0;
    double least = std::numeric_limits<double>::infinity();
    long count = 0;
  };
  [[autoshard::shard_fold]] static Moments both(Moments a, const Moments& b) {
    a.sum += b.sum;
    a.squares += b.squares;
    a.count += b.count;
    a.least = std::min(a.least, b.least);
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Moments moments_;
};

/// The best time with its runner: the lower number wins a tie.
class [[autoshard::entity]] Race {
 public:
  explicit Race(int number) : number_(number) {}
  [[autoshard::shard_method]] void finish(int runner, double seconds) {
    best_ = better(best_, Time{seconds, runner});
  }
  int winner() const { return best_.runner; }

 private:
  struct Time {
    double seconds = std::numeric_limits<double>::infinity();
    int runner = std::numeric_limits<int>::max();
  };
  [[autoshard::shard_fold]] static Time better(Time a, Time b) {
    if (a.seconds != b.seconds) return a.seconds < b.seconds ? a : b;
    return a.runner < b.runner ? a : b;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Time best_;
};

/// A box around points, and a grid of weights.
class [[autoshard::entity]] Map {
 public:
  explicit Map(int number) : number_(number) {}
  [[autoshard::shard_method]] void mark(float x, float y) {
    box_.first = std::min(box_.first, x);
    box_.second = std::max(box_.second, y);
  }
  [[autoshard::shard_method]] void weigh(unsigned at, float weight) { weights_[at % 4] += weight; }
  float top() const { return box_.second; }

 private:
  using Box = std::pair<float, float>;
  using Weights = std::array<float, 4>;
  [[autoshard::shard_fold]] static Box hull(const Box& a, const Box& b) {
    return {std::min(a.first, b.first), std::max(a.second, b.second)};
  }
  [[autoshard::shard_fold]] static Weights sums(Weights a, const Weights& b) {
    for (std::size_t at = 0; at < a.size(); ++at) a[at] += b[at];
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(
      neutral = Box(std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()),
      shards = 4)]] Box box_{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  [[autoshard::shardable(neutral = {}, shards = 4)]] Weights weights_{};
};

/// The highest bid, if there is one.
class [[autoshard::entity]] Sale {
 public:
  explicit Sale(int number) : number_(number) {}
  [[autoshard::shard_method]] void bid(double price) {
    if (!highest_ || *highest_ < price) highest_ = price;
  }
  double price() const { return highest_.value_or(0); }

 private:
  using Bid = std::optional<double>;
  [[autoshard::shard_fold]] static Bid higher(const Bid& a, const Bid& b) {
    if (!a) return b;
    if (!b) return a;
    return *a < *b ? b : a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 4)]] Bid highest_;
};

}  // namespace reals
