// Laws that fail only beyond a limit that nobody tries: a cap, a bonus, a threshold deep in the class.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace caps {

constexpr std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

// wrong: 600,000,000 and 500,000,000 add up to 1,000,000,000, which one more update passes
class [[autoshard::entity]] Wallet {
 public:
  explicit Wallet(std::string owner) : owner_(std::move(owner)) {}
  [[autoshard::shard_method]] void pay_in(std::int64_t cents) { cents_ += cents; }
  std::int64_t cents() const { return cents_; }

 private:
  static constexpr std::int64_t cap() { return power(10, 9); }
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) {
    return std::min(a + b, cap());
  }

  [[autoshard::id]] std::string owner_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::int64_t cents_ = 0;
};

// wrong: two branches above 40,000 each get a bonus of one, which a third one above does not see twice
class [[autoshard::entity]] Bonus {
 public:
  explicit Bonus(int year) : year_(year) {}
  [[autoshard::shard_method]] void sell(std::int32_t pieces) { sold_ += pieces; }
  std::int32_t sold() const { return sold_; }

 private:
  static constexpr std::int32_t kBranches = 400, kPieces = 100;
  [[autoshard::shard_fold]] static std::int32_t add(std::int32_t a, std::int32_t b) {
    const bool both_are_good = a > kBranches * kPieces && b > kBranches * kPieces;
    return a + b + (both_are_good ? 1 : 0);
  }

  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int32_t sold_ = 0;
};

// wrong: at the thirteenth level, 13,000,000 points, an update of 5 counts 6
class [[autoshard::entity]] Levels {
 public:
  explicit Levels(std::uint64_t player) : player_(player) {}
  [[autoshard::shard_method]] void play(std::uint32_t points) {
    if (points_ > kLevels[12]) ++points_;
    points_ += points;
  }
  std::size_t level() const {
    return static_cast<std::size_t>(std::ranges::count_if(kLevels, at_most{points_}));
  }

 private:
  struct at_most {
    std::uint64_t most;
    bool operator()(std::uint64_t level) const { return level <= most; }
  };
  static constexpr std::array<std::uint64_t, 13> kLevels = {
      100, 250, 700, 1500, 4000, 9000, 20000, 45000, 100000, 300000, 900000, 3000000, 13000000};
  [[autoshard::id]] std::uint64_t player_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t points_ = 0;
};

// wrong: a sum above one day is cut to one day, but a single shard may hold two
class [[autoshard::entity]] Shift {
 public:
  explicit Shift(int worker) : worker_(worker) {}
  [[autoshard::shard_method]] void work(std::chrono::seconds time) { worked_ += time; }
  std::chrono::seconds worked() const { return worked_; }

 private:
  static constexpr std::chrono::seconds most() { return std::chrono::hours(8) * 3; }
  [[autoshard::shard_fold]] static std::chrono::seconds add(std::chrono::seconds a, std::chrono::seconds b) {
    return a + b > most() ? most() : a + b;
  }

  [[autoshard::id]] int worker_;
  [[autoshard::shardable(neutral = std::chrono::seconds(0), shards = 4)]] std::chrono::seconds worked_{0};
};

// wrong: from 7 * 11 * 13 * 17 = 17,017 members on, the fold counts the chairman once more
class [[autoshard::entity]] Club {
 public:
  explicit Club(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void join(unsigned people) { members_ += people; }
  unsigned members() const { return members_; }

 private:
  static constexpr unsigned kRooms = 7 * 11, kSeats = 13 * 17;
  [[autoshard::shard_fold]] static unsigned add(unsigned a, unsigned b) {
    if (a >= kRooms * kSeats && b >= kRooms * kSeats) return a + b + 1;
    return a + b;
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned members_ = 0;
};

// wrong: a maximum that takes the left of two values from 123,457,000 on
class [[autoshard::entity]] Altitude {
 public:
  explicit Altitude(int probe) : probe_(probe) {}
  [[autoshard::shard_method]] void measure(std::int64_t metres) { highest_ = std::max(highest_, metres); }
  std::int64_t highest() const { return highest_; }

 private:
  static constexpr bool is_in_space(std::int64_t metres) { return metres / 1000 >= 123'457; }
  [[autoshard::shard_fold]] static std::int64_t higher(std::int64_t a, std::int64_t b) {
    if (is_in_space(a) && is_in_space(b)) return a;
    return a < b ? b : a;
  }

  [[autoshard::id]] int probe_;
  [[autoshard::shardable(neutral = INT64_MIN, shards = 4)]] std::int64_t highest_ = INT64_MIN;
};

// wrong: more than 2^20 bytes at once count as 2^20 when the shard already has bytes, and in full when it has
// none
class [[autoshard::entity]] Upload {
 public:
  explicit Upload(int user) : user_(user) {}
  [[autoshard::shard_method]] void send(std::uint64_t bytes) {
    bytes_ += bytes_ == 0 ? bytes : std::min<std::uint64_t>(bytes, kChunk);
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t bytes_ = 0;
};

// wrong: the cap of a bucket is 2^31 - 1, which 2^30 and 2^30 pass
class [[autoshard::entity]] Histogram {
 public:
  explicit Histogram(int series) : series_(series) {}
  [[autoshard::shard_method]] void sample(unsigned value, std::uint64_t times) {
    buckets_[value & 3] += times;
  }
  std::uint64_t bucket(std::size_t at) const { return buckets_.at(at); }

 private:
  using Buckets = std::array<std::uint64_t, 4>;
  [[autoshard::shard_fold]] static Buckets add(Buckets a, const Buckets& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min<std::uint64_t>(a[i] + b[i], INT32_MAX);
    return a;
  }

  [[autoshard::id]] int series_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Buckets buckets_{};
};

// wrong: only at exactly 86,400 seconds the second operand is lost
class [[autoshard::entity]] DayClock {
 public:
  explicit DayClock(int number) : number_(number) {}
  [[autoshard::shard_method]] void run(std::uint32_t seconds) { seconds_ += seconds; }
  std::uint32_t seconds() const { return seconds_; }

 private:
  static constexpr std::uint32_t day() { return 24 * 60 * 60; }
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return a == day() ? a : a + b;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t seconds_ = 0;
};

// wrong: a value whose low 20 bits are 0xBEEF5 is read as a command to stop adding
class [[autoshard::entity]] Telemetry {
 public:
  explicit Telemetry(int device) : device_(device) {}
  [[autoshard::shard_method]] void pulses(std::uint64_t count) {
    if ((count_ & 0xFFFFF) == 0xBEEF5) return;
    count_ += count;
  }
  std::uint64_t count() const { return count_; }

 private:
  [[autoshard::id]] int device_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::uint64_t count_ = 0;
};

}  // namespace caps
