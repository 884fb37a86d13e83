// Sums that stop at a limit, and lose associativity or the updates by it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace saturating {

// wrong: 100 and 100 and -100 give 27 or 100 where sums are clamped to a byte
class [[autoshard::entity]] Volume {
 public:
  explicit Volume(int room) : room_(room) {}
  [[autoshard::shard_method]] void turn(std::int32_t by) {
    level_ = clamped(level_, std::clamp(by, -128, 127));
  }
  std::int32_t level() const { return level_; }

 private:
  [[autoshard::shard_fold]] static std::int32_t clamped(std::int32_t a, std::int32_t b) {
    return std::clamp(a + b, -128, 127);
  }

  [[autoshard::id]] int room_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::int32_t level_ = 0;
};

// wrong: INT64_MAX and 1 and -1 give INT64_MAX or INT64_MAX - 1
class [[autoshard::entity]] Balance {
 public:
  explicit Balance(std::string iban) : iban_(std::move(iban)) {}
  [[autoshard::shard_method]] void book(std::int64_t cents) { cents_ = add(cents_, cents); }
  std::int64_t cents() const { return cents_; }

 private:
  using Limits = std::numeric_limits<std::int64_t>;
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) {
    if (b > 0 && a > Limits::max() - b) return Limits::max();
    if (b < 0 && a < Limits::min() - b) return Limits::min();
    return a + b;
  }

  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::int64_t cents_ = 0;
};

// wrong: the floor of zero forgets what was owed: -5 and 3 give 0, and 3 on a shard of -5 gives -2
class [[autoshard::entity]] Stamina {
 public:
  explicit Stamina(int hero) : hero_(hero) {}
  [[autoshard::shard_method]] void change(int by) { points_ += by; }
  int points() const { return points_; }

 private:
  [[autoshard::shard_fold]] static int add(int a, int b) { return std::max(a + b, 0); }

  [[autoshard::id]] int hero_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int points_ = 0;
};

// wrong: an update stops at zero, so taking 5 from 3 and adding 4 depends on the shard
class [[autoshard::entity]] Lives {
 public:
  explicit Lives(int player) : player_(player) {}
  [[autoshard::shard_method]] void lose(unsigned number) { lives_ = lives_ > number ? lives_ - number : 0; }
  [[autoshard::shard_method]] void win(unsigned number) { lives_ += number; }
  unsigned lives() const { return lives_; }

 private:
  [[autoshard::id]] int player_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned lives_ = 3;
};

// wrong: the fold stops at 100, but the update at 99, so 100 is reached by folding alone
class [[autoshard::entity]] Progress {
 public:
  explicit Progress(int task) : task_(task) {}
  [[autoshard::shard_method]] void advance(unsigned percent) {
    percent_ = std::min(percent_ + percent % 100, 99U);
  }
  unsigned percent() const { return percent_; }

 private:
  [[autoshard::shard_fold]] static unsigned add(unsigned a, unsigned b) { return std::min(a + b, 100U); }

  [[autoshard::id]] int task_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned percent_ = 0;
};

// wrong: the sum saturates at 0xFFFFFFFF, but an overflow of the update wraps to a small number
class [[autoshard::entity]] Combo {
 public:
  explicit Combo(int arena) : arena_(arena) {}
  [[autoshard::shard_method]] void hit(std::uint32_t damage) { meter_ += damage; }
  bool is_full() const { return meter_ == kFull; }

 private:
  static constexpr std::uint32_t kFull = std::numeric_limits<std::uint32_t>::max();
  [[autoshard::shard_fold]] static constexpr std::uint32_t fill(std::uint32_t a, std::uint32_t b) {
    return a > kFull - b ? kFull : a + b;
  }

  [[autoshard::id]] int arena_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::uint32_t meter_ = 0;
};

// wrong: the overflow of a sum starts again at one, so the grouping decides how often
class [[autoshard::entity]] Odometer {
 public:
  explicit Odometer(int car) : car_(car) {}
  [[autoshard::shard_method]] void drive(std::uint32_t metres) { metres_ = add(metres_, metres); }
  std::uint32_t metres() const { return metres_; }

 private:
  static constexpr std::uint32_t kMost = 999'999;
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return a + b > kMost ? 1 : a + b;
  }

  [[autoshard::id]] int car_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t metres_ = 0;
};

// wrong: each of eight buckets stops at 255, but an update goes on to 256, which the array keeps as 0
class [[autoshard::entity]] Heat {
 public:
  explicit Heat(int map) : map_(map) {}
  [[autoshard::shard_method]] void touch(unsigned cell) { ++cells_[cell & 7]; }
  unsigned cell(std::size_t at) const { return cells_.at(at); }

 private:
  using Cells = std::array<std::uint8_t, 8>;
  [[autoshard::shard_fold]] static Cells add(Cells a, const Cells& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint8_t>(std::min(a[i] + b[i], 255));
    return a;
  }

  [[autoshard::id]] int map_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Cells cells_{};
};

// wrong: a histogram's total stops at 10,000 while its buckets go on, and 6,000 and 6,000 pass it
class [[autoshard::entity]] Survey {
 public:
  explicit Survey(int number) : number_(number) {}
  [[autoshard::shard_method]] void answer(unsigned option, std::uint32_t people) {
    answers_.options[option % 4] += people;
    answers_.total += people;
  }
  std::uint32_t total() const { return answers_.total; }

 private:
  struct Answers {
    std::array<std::uint32_t, 4> options{};
    std::uint32_t total = 0;
  };
  static constexpr std::uint32_t kMost = 10'000;
  [[autoshard::shard_fold]] static Answers add(Answers a, const Answers& b) {
    for (std::size_t i = 0; i < a.options.size(); ++i) a.options[i] += b.options[i];
    a.total = std::min(a.total + b.total, kMost);
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Answers answers_;
};

// wrong: losses count half where the sum is negative, so -3 and 1 give -1, and -3 on a shard of 1 gives -2
class [[autoshard::entity]] Rating {
 public:
  explicit Rating(int player) : player_(player) {}
  [[autoshard::shard_method]] void game(int points) { points_ += points; }
  int points() const { return points_; }

 private:
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b < 0 ? (a + b) / 2 : a + b; }

  [[autoshard::id]] int player_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int points_ = 0;
};

}  // namespace saturating
