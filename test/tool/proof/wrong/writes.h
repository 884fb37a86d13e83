// Shard writes that leave a value which depends on the one before.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace writes {

// wrong: halving is no replacement
class [[autoshard::entity]] Score {
 public:
  explicit Score(int player) : player_(player) {}
  [[autoshard::shard_method]] void add(int points) { points_ += points; }
  [[autoshard::shard_write]] void halve() { points_ = points_ / 2; }
  int points() const { return points_; }

 private:
  [[autoshard::id]] int player_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int points_ = 0;
};

// wrong: the write keeps a value that is greater than the new one
class [[autoshard::entity]] Price {
 public:
  explicit Price(int article) : article_(article) {}
  [[autoshard::shard_method]] void raise(std::int64_t cents) { cents_ += cents; }
  [[autoshard::shard_write]] void at_least(std::int64_t cents) { cents_ = std::max(cents_, cents); }
  std::int64_t cents() const { return cents_; }

 private:
  [[autoshard::id]] int article_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::int64_t cents_ = 0;
};

// wrong: one branch of the write assigns nothing, so what was there stays
class [[autoshard::entity]] Meter {
 public:
  explicit Meter(int number) : number_(number) {}
  [[autoshard::shard_method]] void flow(unsigned litres) { litres_ += litres; }
  [[autoshard::shard_write]] void replace(unsigned litres, bool was_sealed) {
    if (!was_sealed) return;
    litres_ = litres;
  }
  unsigned litres() const { return litres_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned litres_ = 0;
};

// wrong: three of four buckets are replaced
class [[autoshard::entity]] Quarters {
 public:
  explicit Quarters(int year) : year_(year) {}
  [[autoshard::shard_method]] void book(unsigned quarter, std::int64_t cents) {
    cents_[quarter % 4] += cents;
  }
  [[autoshard::shard_write]] void restart() {
    for (std::size_t i = 0; i < 3; ++i) cents_[i] = 0;
  }
  std::int64_t cents(std::size_t quarter) const { return cents_.at(quarter); }

 private:
  using Cents = std::array<std::int64_t, 4>;
  [[autoshard::shard_fold]] static Cents add(Cents a, const Cents& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Cents cents_{};
};

// wrong: one field of the struct is kept
class [[autoshard::entity]] Latencies {
 public:
  explicit Latencies(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  [[autoshard::shard_method]] void observe(std::uint32_t micros) {
    ++summary_.count;
    summary_.sum += micros;
    summary_.longest = std::max(summary_.longest, micros);
  }
  [[autoshard::shard_write]] void restart() { summary_ = Summary{0, 0, summary_.longest}; }
  std::uint32_t longest() const { return summary_.longest; }

 private:
  struct Summary {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::uint32_t longest = 0;
  };
  [[autoshard::shard_fold]] static Summary merge(const Summary& a, const Summary& b) {
    return {a.count + b.count, a.sum + b.sum, std::max(a.longest, b.longest)};
  }

  [[autoshard::id]] std::string endpoint_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Summary summary_;
};

// wrong: the bits above the new ones stay set
class [[autoshard::entity]] Calendar {
 public:
  explicit Calendar(int person) : person_(person) {}
  [[autoshard::shard_method]] void book(unsigned hour) { busy_ |= std::uint64_t{1} << (hour % 64); }
  [[autoshard::shard_write]] void day(std::uint32_t hours) {
    busy_ = (busy_ & ~std::uint64_t{0xFFFFFF}) | (hours & 0xFFFFFF);
  }
  std::uint64_t busy() const { return busy_; }

 private:
  [[autoshard::id]] int person_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::bit_or<>{})]] std::uint64_t busy_ = 0;
};

// wrong: above 29,791 days, the write adds to what was there
class [[autoshard::entity]] Holiday {
 public:
  explicit Holiday(int employee) : employee_(employee) {}
  [[autoshard::shard_method]] void take(int days) { days_ -= days; }
  [[autoshard::shard_write]] void year(int days) { days_ = days + (days_ > kMost ? days_ : 0); }
  int days() const { return days_; }

 private:
  static constexpr int kMost = 31 * 31 * 31;
  [[autoshard::id]] int employee_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int days_ = 30;
};

// wrong: the write throws the value away only where there is one
class [[autoshard::entity]] Deadline {
 public:
  explicit Deadline(int task) : task_(task) {}
  [[autoshard::shard_method]] void by(std::int32_t day) {
    if (!day_ || day < *day_) day_ = day;
  }
  [[autoshard::shard_write]] void move(std::int32_t day) {
    if (day_) day_ = day;
  }
  bool is_known() const { return day_.has_value(); }

 private:
  using Day = std::optional<std::int32_t>;
  [[autoshard::shard_fold]] static Day earlier(const Day& a, const Day& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
  }

  [[autoshard::id]] int task_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Day day_;
};

// wrong: the bitset is cleared from the bit on that is given, and keeps the ones below
class [[autoshard::entity]] Rooms {
 public:
  explicit Rooms(int level) : level_(level) {}
  [[autoshard::shard_method]] void enter(std::size_t room) { seen_.set(room % 24); }
  [[autoshard::shard_write]] void rebuild(std::size_t from) {
    for (std::size_t room = 0; room < seen_.size(); ++room) {
      if (room >= from) seen_.reset(room);
    }
  }
  std::size_t rooms() const { return seen_.count(); }

 private:
  [[autoshard::id]] int level_;
  [[autoshard::shardable(neutral = {}, shards = 2, fold = std::bit_or<>{})]] std::bitset<24> seen_;
};

}  // namespace writes
