// Means, differences, quotients and what else is not associative.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace averages {

// wrong: the mean of 0, 0 and 8 is 4 or 2
class [[autoshard::entity]] Grade {
 public:
  explicit Grade(int pupil) : pupil_(pupil) {}
  [[autoshard::shard_method]] void mark(int points) { points_ = (points_ + points) / 2; }
  int points() const { return points_; }

 private:
  [[autoshard::shard_fold]] static int mean(int a, int b) { return (a + b) / 2; }

  [[autoshard::id]] int pupil_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int points_ = 0;
};

// wrong: the weights are added, but the means are not weighted by them: (10, 1) and (20, 9) give 15
class [[autoshard::entity]] Rating {
 public:
  explicit Rating(std::uint64_t film) : film_(film) {}
  [[autoshard::shard_method]] void rate(std::int64_t stars) { rating_ = join(rating_, {stars, 1}); }
  std::int64_t stars() const { return rating_.mean; }

 private:
  struct Mean {
    std::int64_t mean = 0;
    std::int64_t weight = 0;
  };
  [[autoshard::shard_fold]] static Mean join(const Mean& a, const Mean& b) {
    if (a.weight == 0) return b;
    if (b.weight == 0) return a;
    return {(a.mean + b.mean) / 2, a.weight + b.weight};
  }

  [[autoshard::id]] std::uint64_t film_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Mean rating_;
};

// wrong: even weighted, a mean in integers is rounded at each step: (1, 1), (2, 1) and (2, 1)
class [[autoshard::entity]] Fuel {
 public:
  explicit Fuel(int car) : car_(car) {}
  [[autoshard::shard_method]] void fill(unsigned litres) { used_ = join(used_, {litres % 1000, 1}); }
  std::uint64_t litres() const { return used_.litres; }

 private:
  struct Used {
    std::uint64_t litres = 0;
    std::uint32_t times = 0;
  };
  [[autoshard::shard_fold]] static Used join(const Used& a, const Used& b) {
    const std::uint32_t times = a.times + b.times;
    if (times == 0) return {};
    return {(a.litres * a.times + b.litres * b.times) / times, times};
  }

  [[autoshard::id]] int car_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Used used_;
};

// wrong: subtraction is no fold: 5 - 3 is 2, and 3 - 5 is -2
class [[autoshard::entity]] Deposit {
 public:
  explicit Deposit(int box) : box_(box) {}
  [[autoshard::shard_method]] void take(long coins) { coins_ -= coins; }
  long coins() const { return coins_; }

 private:
  [[autoshard::shard_fold]] static long less(long a, long b) { return a - b; }

  [[autoshard::id]] int box_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long coins_ = 0;
};

// wrong: the distance of two numbers is commutative, but 1, 2 and 4 give 3 or 1
class [[autoshard::entity]] Gap {
 public:
  explicit Gap(int machine) : machine_(machine) {}
  [[autoshard::shard_method]] void adjust(std::uint32_t to) { gap_ = apart(gap_, to); }
  std::uint32_t gap() const { return gap_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t apart(std::uint32_t a, std::uint32_t b) {
    return a > b ? a - b : b - a;
  }

  [[autoshard::id]] int machine_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t gap_ = 0;
};

// wrong: three quarters of the old and a quarter of the new value depend on the order
class [[autoshard::entity]] Load {
 public:
  explicit Load(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void sample(std::uint32_t now) { load_ = smooth(load_, now); }
  std::uint32_t load() const { return load_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t smooth(std::uint32_t a, std::uint32_t b) {
    return a - a / 4 + b / 4;
  }

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t load_ = 0;
};

// wrong: resistances in parallel are rounded down: 3, 3 and 6 give 0 or 1
class [[autoshard::entity]] Circuit {
 public:
  explicit Circuit(int board) : board_(board) {}
  [[autoshard::shard_method]] void resistor(std::uint16_t ohms) { ohms_ = parallel(ohms_, ohms); }
  std::uint64_t ohms() const { return ohms_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t parallel(std::uint64_t a, std::uint64_t b) {
    if (a == 0 || b == 0) return a + b;
    return a * b / (a + b);
  }

  [[autoshard::id]] int board_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t ohms_ = 0;
};

// wrong: rounding up to tens at each fold: 1 and 1 and 1 give 20, or 1 folded with nothing gives 10
class [[autoshard::entity]] Billing {
 public:
  explicit Billing(int phone) : phone_(phone) {}
  [[autoshard::shard_method]] void call(std::uint32_t seconds) { seconds_ += seconds; }
  std::uint32_t seconds() const { return seconds_; }

 private:
  static constexpr std::uint32_t units(std::uint32_t seconds) { return (seconds + 9) / 10; }
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return units(a + b) * 10;
  }

  [[autoshard::id]] int phone_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t seconds_ = 0;
};

// wrong: a sum that is shifted: 8 and 8 give 8, which a third 8 changes or not by the grouping
class [[autoshard::entity]] Mixer {
 public:
  explicit Mixer(int desk) : desk_(desk) {}
  [[autoshard::shard_method]] void add(std::uint16_t sample) { level_ += sample; }
  std::uint32_t level() const { return level_; }

 private:
  [[autoshard::id]] int desk_;
  [[autoshard::shardable(
      neutral = 0, shards = 4,
      fold = [](std::uint32_t a, std::uint32_t b) { return (a + b) >> 1; })]] std::uint32_t level_ = 0;
};

// wrong: the change of a price against the last one is no sum: the fold subtracts the left low from the right
// high
class [[autoshard::entity]] Spread {
 public:
  explicit Spread(std::string symbol) : symbol_(std::move(symbol)) {}
  [[autoshard::shard_method]] void trade(std::int32_t price) { prices_ = join(prices_, {price, price, 0}); }
  std::int32_t spread() const { return prices_.spread; }

 private:
  struct Prices {
    std::int32_t low = std::numeric_limits<std::int32_t>::max();
    std::int32_t high = std::numeric_limits<std::int32_t>::min();
    std::int32_t spread = 0;
  };
  [[autoshard::shard_fold]] static Prices join(const Prices& a, const Prices& b) {
    if (a.low > a.high) return b;
    if (b.low > b.high) return a;
    return {std::min(a.low, b.low), std::max(a.high, b.high), b.high - a.low};
  }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Prices prices_;
};

}  // namespace averages
