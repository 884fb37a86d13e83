// Near twins of right classes, each with one operator, constant, index or branch changed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace twins {

// wrong: the loop begins at 1, so register 0 of the right operand is lost
class [[autoshard::entity]] Visitors {
 public:
  explicit Visitors(std::string page) : page_(std::move(page)) {}
  [[autoshard::shard_method]] void see(std::uint64_t hash) {
    const auto rank = static_cast<std::uint8_t>(std::countl_zero(hash | 1) + 1);
    std::uint8_t& longest = runs_[hash % kBuckets];
    longest = std::max(longest, rank);
  }
  int zeros() const { return static_cast<int>(std::ranges::count(runs_, 0)); }

 private:
  static constexpr std::size_t kBuckets = 16;
  using Runs = std::array<std::uint8_t, kBuckets>;
  [[autoshard::shard_fold]] static Runs longest(Runs a, const Runs& b) {
    for (std::size_t i = 1; i < kBuckets; ++i) a[i] = std::max(a[i], b[i]);
    return a;
  }

  [[autoshard::id]] std::string page_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Runs runs_{};
};

// wrong: nibble 15 is left out by `shift < 60`, so the last register is always 0 after a fold
class [[autoshard::entity]] Callers {
 public:
  explicit Callers(int line) : line_(line) {}
  [[autoshard::shard_method]] void call(std::uint64_t hash) { ranks_ |= (hash & 15) << (4 * (hash >> 60)); }
  std::uint64_t ranks() const { return ranks_; }

 private:
  [[autoshard::shard_fold]] static constexpr std::uint64_t either(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    for (int shift = 0; shift < 60; shift += 4) {
      const std::uint64_t x = (a >> shift) & 15;
      const std::uint64_t y = (b >> shift) & 15;
      result |= (x | y) << shift;
    }
    return result;
  }

  [[autoshard::id]] int line_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t ranks_ = 0;
};

// wrong: the bottom is taken from both tops: `a.top` instead of `a.bottom`
class [[autoshard::entity]] Outline {
 public:
  explicit Outline(int shape) : shape_(shape) {}
  [[autoshard::shard_method]] void point(std::int32_t x, std::int32_t y) { box_ = hull(box_, {x, y, x, y}); }
  std::int32_t height() const { return box_.bottom - box_.top; }

 private:
  using Limits = std::numeric_limits<std::int32_t>;
  struct Box {
    std::int32_t left = Limits::max(), top = Limits::max();
    std::int32_t right = Limits::min(), bottom = Limits::min();
  };
  [[autoshard::shard_fold]] static Box hull(const Box& a, const Box& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.top, b.bottom)};
  }

  [[autoshard::id]] int shape_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Box box_;
};

// wrong: `<=` for `<` in the tie of the update: the second of two equal prices with a higher order number
// wins
class [[autoshard::entity]] Book {
 public:
  explicit Book(int share) : share_(share) {}
  [[autoshard::shard_method]] void offer(std::int32_t price, std::uint32_t order) {
    if (price <= best_.first) best_ = {price, order};
  }
  std::int32_t best() const { return best_.first; }

 private:
  using Limit = std::pair<std::int32_t, std::uint32_t>;
  static constexpr Limit none() { return {INT32_MAX, UINT32_MAX}; }
  [[autoshard::shard_fold]] static Limit lower(const Limit& a, const Limit& b) { return a < b ? a : b; }

  [[autoshard::id]] int share_;
  [[autoshard::shardable(neutral = none(), shards = 4)]] Limit best_ = none();
};

// wrong: the carry is taken by `|`, so 1 and 0 carry
class [[autoshard::entity]] PortScan {
 public:
  explicit PortScan(std::uint32_t source) : source_(source) {}
  [[autoshard::shard_method]] void knock(unsigned port) { knocks_ = add(knocks_, {1ULL << (port % 64), 0}); }
  std::uint64_t thrice() const { return knocks_.low & knocks_.high; }

 private:
  struct Knocks {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  [[autoshard::shard_fold]] static Knocks add(const Knocks& a, const Knocks& b) {
    const std::uint64_t carry = a.low | b.low;
    return {a.low ^ b.low, a.high ^ b.high ^ carry};
  }

  [[autoshard::id]] std::uint32_t source_;
  [[autoshard::shardable(neutral = Knocks{}, shards = 4)]] Knocks knocks_;
};

// wrong: the update flips the lowest bit of a digit, and the fold adds the digits: 1 and 1 are 2, and then 3
class [[autoshard::entity]] Station {
 public:
  explicit Station(int number) : number_(number) {}
  [[autoshard::shard_method]] void put(unsigned at) { counts_ ^= 1U << (4 * (at & 7U)); }
  unsigned parcels(unsigned at) const { return counts_ >> (4 * (at & 7U)) & 15U; }

 private:
  [[autoshard::shard_fold]] static constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kHigh = 0x88888888U;
    return ((a & ~kHigh) + (b & ~kHigh)) ^ ((a ^ b) & kHigh);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t counts_ = 0;
};

enum class Light : std::uint8_t { kOff, kRed, kGreen, kAmber };

// wrong: the fold orders lights by their numbers, and the update by their severity, in which red is above
// amber
class [[autoshard::entity]] Crossing {
 public:
  explicit Crossing(int number) : number_(number) {}
  [[autoshard::shard_method]] void show(Light light) {
    if (severity(light) > severity(worst_)) worst_ = light;
  }
  Light worst() const { return worst_; }

 private:
  static constexpr int severity(Light light) {
    switch (light) {
      case Light::kRed:
        return 300;
      case Light::kAmber:
        return 200;
      case Light::kGreen:
        return 100;
      case Light::kOff:
        return 0;
    }
    return 1000 + static_cast<int>(light);
  }
  [[autoshard::shard_fold]] static Light worse(Light a, Light b) { return a < b ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Light::kOff, shards = 2)]] Light worst_ = Light::kOff;
};

// wrong: `&` for `|`: a key that one shard has seen twice, and the other never, was not seen twice
class [[autoshard::entity]] Duplicates {
 public:
  explicit Duplicates(int queue) : queue_(queue) {}
  [[autoshard::shard_method]] void see(unsigned key) { seen_ = merge(seen_, {1ULL << (key & 63), 0}); }
  bool is_duplicate(unsigned key) const { return (seen_.twice >> (key & 63) & 1) != 0; }

 private:
  struct Seen {
    std::uint64_t once = 0;
    std::uint64_t twice = 0;
  };
  [[autoshard::shard_fold]] static Seen merge(Seen a, Seen b) {
    return {a.once | b.once, (a.twice & b.twice) | (a.once & b.once)};
  }

  [[autoshard::id]] int queue_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Seen seen_;
};

// wrong: the fold of the optionals gives nothing where one of them is empty
class [[autoshard::entity]] Range {
 public:
  explicit Range(int channel) : channel_(channel) {}
  [[autoshard::shard_method]] void sample(int value) {
    range_ = range_ ? wider(range_, std::pair(value, value)) : std::pair(value, value);
  }
  bool is_empty() const { return !range_.has_value(); }

 private:
  using Ends = std::optional<std::pair<int, int>>;
  [[autoshard::shard_fold]] static Ends wider(const Ends& a, const Ends& b) {
    if (!a || !b) return std::nullopt;
    return std::pair(std::min(a->first, b->first), std::max(a->second, b->second));
  }

  [[autoshard::id]] int channel_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 4)]] Ends range_;
};

// wrong: the second best of 10 and 9 and of 8 and 7 is 8: `b.best` for the greater of `a.second` and `b.best`
class [[autoshard::entity]] Javelin {
 public:
  explicit Javelin(int athlete) : athlete_(athlete) {}
  [[autoshard::shard_method]] void attempt(unsigned centimetres) {
    if (centimetres > throws_.best) {
      throws_.second = std::exchange(throws_.best, centimetres);
    } else if (centimetres > throws_.second) {
      throws_.second = centimetres;
    }
  }
  unsigned best() const { return throws_.best; }

 private:
  struct Throws {
    unsigned best = 0;
    unsigned second = 0;
  };
  [[autoshard::shard_fold]] static Throws join(const Throws& a, const Throws& b) {
    if (a.best < b.best) return {b.best, std::max(a.best, b.second)};
    return {a.best, b.best};
  }

  [[autoshard::id]] int athlete_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Throws throws_;
};

// wrong: the packed minimum grows on one shard only: 7 and 5, slowed by 3, are 8 or 5
class [[autoshard::entity]] Mirrors {
 public:
  explicit Mirrors(std::string package) : package_(std::move(package)) {}
  [[autoshard::shard_method]] void probe(std::uint32_t micros, std::uint32_t mirror) {
    fastest_ = std::min(fastest_, std::uint64_t{micros} << 32 | mirror);
  }
  [[autoshard::shard_method]] void slower(std::uint32_t by) { fastest_ += by; }
  std::uint64_t fastest() const { return fastest_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t least(std::uint64_t a, std::uint64_t b) {
    return a < b ? a : b;
  }

  [[autoshard::id]] std::string package_;
  [[autoshard::shardable(neutral = UINT64_MAX, shards = 4)]] std::uint64_t fastest_ = UINT64_MAX;
};

// wrong: the neutral interval is {0, 0}, which is no empty one where the hull does not look for it
class [[autoshard::entity]] Project {
 public:
  explicit Project(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void plan(std::int32_t begin, std::int32_t end) {
    hull_ = {std::min(hull_.first, begin), std::max(hull_.second, end)};
  }
  [[autoshard::shard_write]] void restart(std::int32_t day) { hull_ = {day, day}; }
  std::int32_t days() const { return hull_.second - hull_.first; }

 private:
  using Span = std::pair<std::int32_t, std::int32_t>;
  [[autoshard::shard_fold]] static Span hull(const Span& a, const Span& b) {
    return {std::min(a.first, b.first), std::max(a.second, b.second)};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = Span{}, shards = 4)]] Span hull_{INT32_MAX, INT32_MIN};
};

// wrong: the close is found by `std::min`, and the update by the later number
class [[autoshard::entity]] Candle {
 public:
  Candle(std::string symbol, std::int64_t minute) : symbol_(std::move(symbol)), minute_(minute) {}
  [[autoshard::shard_method]] void trade(std::uint64_t number, std::int64_t price) {
    bars_.open = std::min(bars_.open, Trade(number, price));
    bars_.close = std::max(bars_.close, Trade(number, price));
  }
  std::int64_t close() const { return bars_.close.second; }

 private:
  using Trade = std::pair<std::uint64_t, std::int64_t>;
  struct Bars {
    Trade open{UINT64_MAX, INT64_MAX};
    Trade close{0, INT64_MIN};
  };
  [[autoshard::shard_fold]] static Bars merge(const Bars& a, const Bars& b) {
    return {std::min(a.open, b.open), std::min(a.close, b.close)};
  }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::id]] std::int64_t minute_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Bars bars_;
};

}  // namespace twins
