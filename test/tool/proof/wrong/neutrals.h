// Neutral values that are no identity of their fold.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace neutrals {

// wrong: 0 for a minimum: the lowest price of 5 and nothing is 0
class [[autoshard::entity]] PriceWatch {
 public:
  explicit PriceWatch(std::string article) : article_(std::move(article)) {}
  [[autoshard::shard_method]] void see(unsigned cents) { lowest_ = std::min(lowest_, cents); }
  [[autoshard::shard_write]] void restart(unsigned cents) { lowest_ = cents; }
  unsigned lowest() const { return lowest_; }

 private:
  [[autoshard::shard_fold]] static unsigned lower(unsigned a, unsigned b) { return std::min(a, b); }

  [[autoshard::id]] std::string article_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned lowest_ = std::numeric_limits<unsigned>::max();
};

// wrong: 1 for a sum: every shard adds one
class [[autoshard::entity]] Members {
 public:
  explicit Members(std::string club) : club_(std::move(club)) {}
  [[autoshard::shard_method]] void join() { ++members_; }
  int members() const { return members_; }

 private:
  [[autoshard::id]] std::string club_;
  [[autoshard::shardable(neutral = 1, shards = 4, fold = std::plus<>{})]] int members_ = 1;
};

// wrong: 0 for a product: every shard makes it 0
class [[autoshard::entity]] Odds {
 public:
  explicit Odds(int bet) : bet_(bet) {}
  [[autoshard::shard_method]] void combine(unsigned odds) { odds_ *= odds; }
  [[autoshard::shard_write]] void start(unsigned odds) { odds_ = odds; }
  unsigned odds() const { return odds_; }

 private:
  [[autoshard::id]] int bet_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::multiplies<>{})]] unsigned odds_ = 1;
};

// wrong: the least positive number for a maximum, but the coldest day may have -20 degrees
class [[autoshard::entity]] Warmest {
 public:
  explicit Warmest(int year) : year_(year) {}
  [[autoshard::shard_method]] void day(std::int32_t degrees) { warmest_ = std::max(warmest_, degrees); }
  [[autoshard::shard_write]] void start(std::int32_t degrees) { warmest_ = degrees; }
  std::int32_t warmest() const { return warmest_; }

 private:
  static constexpr std::int32_t kLeast = 1;
  [[autoshard::shard_fold]] static std::int32_t warmer(std::int32_t a, std::int32_t b) {
    return a > b ? a : b;
  }

  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = kLeast, shards = 4)]] std::int32_t warmest_ =
      std::numeric_limits<int>::min();
};

// wrong: all bits are set but the highest, which every `&` clears
class [[autoshard::entity]] Mask {
 public:
  explicit Mask(int host) : host_(host) {}
  [[autoshard::shard_method]] void keep(std::uint32_t bits) { bits_ &= bits; }
  [[autoshard::shard_write]] void all() { bits_ = 0xFFFFFFFFU; }
  std::uint32_t bits() const { return bits_; }

 private:
  [[autoshard::id]] int host_;
  [[autoshard::shardable(neutral = 0x7FFFFFFFU, shards = 4, fold = std::bit_and<>{})]] std::uint32_t bits_ =
      0xFFFFFFFFU;
};

// wrong: the empty bitset for an intersection
class [[autoshard::entity]] FreeRooms {
 public:
  explicit FreeRooms(std::string hotel) : hotel_(std::move(hotel)) {}
  [[autoshard::shard_method]] void take(std::size_t room) { free_.reset(room % 40); }
  [[autoshard::shard_write]] void open() { free_.set(); }
  std::size_t free() const { return free_.count(); }

 private:
  [[autoshard::id]] std::string hotel_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::bit_and<>{})]] std::bitset<40> free_ =
      ~std::bitset<40>();
};

// wrong: the box from (0, 0) to (0, 0) is a point, and no empty box: the hull of it and (5, 5) begins at 0
class [[autoshard::entity]] Outline {
 public:
  explicit Outline(int shape) : shape_(shape) {}
  [[autoshard::shard_method]] void point(std::int32_t x, std::int32_t y) { box_ = hull(box_, {x, y, x, y}); }
  [[autoshard::shard_write]] void begin(std::int32_t x, std::int32_t y) { box_ = {x, y, x, y}; }
  std::int32_t width() const { return box_.right - box_.left; }

 private:
  struct Box {
    std::int32_t left = 0, top = 0, right = 0, bottom = 0;
  };
  [[autoshard::shard_fold]] static Box hull(const Box& a, const Box& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
  }

  [[autoshard::id]] int shape_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Box box_;
};

// wrong: an optional of zero is no empty optional: the minimum of it and 7 is 0
class [[autoshard::entity]] Fastest {
 public:
  explicit Fastest(int route) : route_(route) {}
  [[autoshard::shard_method]] void drive(std::uint32_t seconds) {
    if (!fastest_ || seconds < *fastest_) fastest_ = seconds;
  }
  [[autoshard::shard_write]] void reopen() { fastest_ = std::nullopt; }
  bool is_known() const { return fastest_.has_value(); }

 private:
  using Time = std::optional<std::uint32_t>;
  [[autoshard::shard_fold]] static Time faster(const Time& a, const Time& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
  }

  [[autoshard::id]] int route_;
  [[autoshard::shardable(neutral = 0U, shards = 2)]] Time fastest_;
};

// wrong: the epoch for the earliest day: a ship of 2020 and a shard without any give 1970
class [[autoshard::entity]] Harbour {
 public:
  explicit Harbour(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void arrive(std::chrono::sys_days day) { first_ = std::min(first_, day); }
  [[autoshard::shard_write]] void forget() { first_ = std::chrono::sys_days::max(); }
  std::chrono::sys_days first() const { return first_; }

 private:
  using Day = std::chrono::sys_days;
  [[autoshard::shard_fold]] static Day earlier(Day a, Day b) { return std::min(a, b); }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = std::chrono::sys_days(), shards = 4)]] Day first_ = Day::max();
};

// wrong: seven of eight registers begin at zero, and the last one at 1
class [[autoshard::entity]] Registers {
 public:
  explicit Registers(int sketch) : sketch_(sketch) {}
  [[autoshard::shard_method]] void count(std::size_t at, std::uint32_t by) { sums_[at % 8] += by; }
  std::uint32_t sum(std::size_t at) const { return sums_.at(at); }

 private:
  using Sums = std::array<std::uint32_t, 8>;
  [[autoshard::shard_fold]] static Sums add(Sums a, const Sums& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int sketch_;
  [[autoshard::shardable(neutral = (Sums{0, 0, 0, 0, 0, 0, 0, 1}), shards = 4)]] Sums sums_{};
};

// wrong: true for "any of them": every shard makes it true
class [[autoshard::entity]] Alarm {
 public:
  explicit Alarm(int house) : house_(house) {}
  [[autoshard::shard_method]] void report(bool smoke) { rang_ = rang_ || smoke; }
  [[autoshard::shard_write]] void reset() { rang_ = false; }
  bool rang() const { return rang_; }

 private:
  [[autoshard::id]] int house_;
  [[autoshard::shardable(neutral = true, shards = 2, fold = std::logical_or<>{})]] bool rang_ = false;
};

}  // namespace neutrals
