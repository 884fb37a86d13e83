// Bounded members whose fold is no sum, or is one for some values only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace bounded {

// wrong: a maximum with bounds: 3 and 4 left make 4, not 7
class [[autoshard::entity]] Quota {
 public:
  explicit Quota(int user) : user_(user) {}
  [[autoshard::shard_method]] void at_least(int calls) { calls_ = std::max(calls_, calls); }
  int calls() const { return calls_; }

 private:
  static int greater(int a, int b) { return std::max(a, b); }

  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0, max = 1000, fold = greater)]] int calls_ = 0;
};

// wrong: a sum that is clamped to the bounds itself, which the bounds do on the whole
class [[autoshard::entity]] Seats {
 public:
  static constexpr long kSeats = 40'000;
  explicit Seats(std::string stadium) : stadium_(std::move(stadium)) {}
  [[autoshard::shard_method]] void take(long seats) { free_ -= seats; }
  long free() const { return free_; }

 private:
  [[autoshard::shard_fold]] static long add(long a, long b) { return std::clamp(a + b, -kSeats, kSeats); }

  [[autoshard::id]] std::string stadium_;
  [[autoshard::shardable(neutral = 0, shards = 8, min = 0, max = kSeats)]] long free_ = kSeats;
};

// wrong: a product with bounds
class [[autoshard::entity]] Factor {
 public:
  explicit Factor(int bet) : bet_(bet) {}
  [[autoshard::shard_method]] void combine(int odds) { odds_ *= odds; }
  int odds() const { return odds_; }

 private:
  [[autoshard::id]] int bet_;
  [[autoshard::shardable(neutral = 1, shards = 2, min = 0, max = 1'000'000,
                         fold = std::multiplies<>{})]] int odds_ = 1;
};

// wrong: bits with bounds: 1 and 1 are 1, not 2
class [[autoshard::entity]] Flags {
 public:
  explicit Flags(int device) : device_(device) {}
  [[autoshard::shard_method]] void raise(int bit) { flags_ |= 1 << (bit & 15); }
  int flags() const { return flags_; }

 private:
  [[autoshard::id]] int device_;
  [[autoshard::shardable(neutral = 0, shards = 2, min = 0, fold = std::bit_or<>{})]] int flags_ = 0;
};

// wrong: `^` for `+`: both agree until two shards have the same bit
class [[autoshard::entity]] Tank {
 public:
  explicit Tank(int number) : number_(number) {}
  [[autoshard::shard_method]] void fill(std::int64_t litres) { litres_ += litres; }
  std::int64_t litres() const { return litres_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) { return a ^ b; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0, max = 500'000)]] std::int64_t litres_ = 0;
};

// wrong: a sum but for two shards above 2^40, which lose one
class [[autoshard::entity]] Fund {
 public:
  explicit Fund(std::string isin) : isin_(std::move(isin)) {}
  [[autoshard::shard_method]] void invest(std::int64_t cents) { cents_ += cents; }
  std::int64_t cents() const { return cents_; }

 private:
  static constexpr bool is_large(std::int64_t cents) { return cents >> 40 > 0; }
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) {
    return is_large(a) && is_large(b) ? a + b - 1 : a + b;
  }

  [[autoshard::id]] std::string isin_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0)]] std::int64_t cents_ = 0;
};

// wrong: the update of a bounded sum reads it: a tenth of the rest depends on the shard
class [[autoshard::entity]] Well {
 public:
  explicit Well(int village) : village_(village) {}
  [[autoshard::shard_method]] void rain(std::int32_t litres) { litres_ += litres; }
  [[autoshard::shard_method]] void draw() { litres_ -= litres_ / 10; }
  std::int32_t litres() const { return litres_; }

 private:
  [[autoshard::id]] int village_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0, fold = std::plus<>{})]] std::int32_t litres_ = 0;
};

}  // namespace bounded
