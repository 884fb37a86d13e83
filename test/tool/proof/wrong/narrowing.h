// Sums and maxima that lose bits on the way: through double, float, a narrower member or a shift.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace narrowing {

// wrong: 2^53 + 1 is not a double, so 2^53 and 1 and 1 add up to 2^53 or to 2^53 + 2
class [[autoshard::entity]] Turnover {
 public:
  explicit Turnover(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void sell(std::int64_t cents) { cents_ += cents; }
  std::int64_t cents() const { return cents_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<double>(a) + static_cast<double>(b));
  }

  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::int64_t cents_ = 0;
};

// wrong: 16,777,217 as a float is 16,777,216, so 0 is not neutral for it
class [[autoshard::entity]] Steps {
 public:
  explicit Steps(int watch) : watch_(watch) {}
  [[autoshard::shard_method]] void walk(std::uint32_t steps) { steps_ += steps; }
  std::uint32_t steps() const { return steps_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(static_cast<float>(a) + static_cast<float>(b)));
  }

  [[autoshard::id]] int watch_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::uint32_t steps_ = 0;
};

// wrong: the fold's struct adds in 16 bits what the updates add in 32, so 65,536 becomes 0
class [[autoshard::entity]] Packets {
 public:
  explicit Packets(int line) : line_(line) {}
  [[autoshard::shard_method]] void receive(std::uint32_t number) { count_ += number; }
  std::uint32_t count() const { return count_; }

 private:
  struct Sum {
    std::uint16_t value;
  };
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    const Sum sum{static_cast<std::uint16_t>(a + b)};
    return sum.value;
  }

  [[autoshard::id]] int line_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t count_ = 0;
};

// wrong: the total has 64 bits, but an int holds it in between, so 2^32 bytes vanish
class [[autoshard::entity]] Backup {
 public:
  explicit Backup(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void file(std::uint64_t bytes) {
    size_.bytes += bytes;
    ++size_.files;
  }
  std::uint64_t bytes() const { return size_.bytes; }

 private:
  struct Size {
    std::uint64_t bytes = 0;
    std::uint32_t files = 0;
  };
  [[autoshard::shard_fold]] static Size add(const Size& a, const Size& b) {
    const auto total = [](std::uint32_t x, std::uint32_t y) { return std::uint64_t{x} + y; };
    return {total(static_cast<std::uint32_t>(a.bytes), static_cast<std::uint32_t>(b.bytes)),
            a.files + b.files};
  }

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Size size_;
};

// wrong: the last bit of a 64-bit maximum is lost in a double: of 2^60 and 2^60 + 1 the left one wins
class [[autoshard::entity]] Newest {
 public:
  explicit Newest(int feed) : feed_(feed) {}
  [[autoshard::shard_method]] void post(std::uint64_t nanos) {
    if (nanos > newest_) newest_ = nanos;
  }
  std::uint64_t newest() const { return newest_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t newer(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(b) > static_cast<double>(a) ? b : a;
  }

  [[autoshard::id]] int feed_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t newest_ = 0;
};

// wrong: seconds are added up as minutes, so 59 and 59 give 0
class [[autoshard::entity]] Airtime {
 public:
  explicit Airtime(int phone) : phone_(phone) {}
  [[autoshard::shard_method]] void call(std::chrono::seconds lasted) { time_ += lasted; }
  std::chrono::seconds time() const { return time_; }

 private:
  [[autoshard::shard_fold]] static std::chrono::seconds add(std::chrono::seconds a, std::chrono::seconds b) {
    using std::chrono::minutes;
    return std::chrono::duration_cast<minutes>(a) + std::chrono::duration_cast<minutes>(b);
  }

  [[autoshard::id]] int phone_;
  [[autoshard::shardable(neutral = std::chrono::seconds(0), shards = 4)]] std::chrono::seconds time_{0};
};

// wrong: the count of a pair is kept in a byte by the fold, so 200 and 100 give 44, which an update to 300
// does not
class [[autoshard::entity]] Loans {
 public:
  explicit Loans(int library) : library_(library) {}
  [[autoshard::shard_method]] void lend(std::uint16_t books) { loans_.second += books; }
  [[autoshard::shard_method]] void reader() { ++loans_.first; }
  std::uint32_t books() const { return loans_.second; }

 private:
  using Counts = std::pair<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Counts add(const Counts& a, const Counts& b) {
    return {a.first + b.first, static_cast<std::uint8_t>(a.second + b.second)};
  }

  [[autoshard::id]] int library_;
  [[autoshard::shardable(neutral = Counts{}, shards = 4)]] Counts loans_;
};

// wrong: a sample above 32,767 is negative in the short that the maximum goes through
class [[autoshard::entity]] Loudness {
 public:
  explicit Loudness(int stage) : stage_(stage) {}
  [[autoshard::shard_method]] void measure(std::int32_t level) { loudest_ = std::max(loudest_, level); }
  std::int32_t loudest() const { return loudest_; }

 private:
  static constexpr short clip(std::int32_t level) { return static_cast<short>(level); }
  [[autoshard::shard_fold]] static std::int32_t louder(std::int32_t a, std::int32_t b) {
    return clip(a) < clip(b) ? b : a;
  }

  [[autoshard::id]] int stage_;
  [[autoshard::shardable(neutral = INT32_MIN, shards = 4)]] std::int32_t loudest_ = INT32_MIN;
};

// wrong: the sum of squares is rounded through a square root, so 0 is not neutral for 2
class [[autoshard::entity]] Distance {
 public:
  explicit Distance(int robot) : robot_(robot) {}
  [[autoshard::shard_method]] void move(std::int32_t metres) { squares_ += std::int64_t{metres} * metres; }
  std::int64_t squares() const { return squares_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) {
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(a + b)));
    return root * root;
  }

  [[autoshard::id]] int robot_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int64_t squares_ = 0;
};

// wrong: cents are folded as whole euros, so 99 and 99 give 100 instead of 198
class [[autoshard::entity]] Tips {
 public:
  explicit Tips(int waiter) : waiter_(waiter) {}
  [[autoshard::shard_method]] void tip(std::uint32_t cents) { cents_ += cents; }
  std::uint32_t cents() const { return cents_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return (a + b) / 100 * 100;
  }

  [[autoshard::id]] int waiter_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t cents_ = 0;
};

}  // namespace narrowing
