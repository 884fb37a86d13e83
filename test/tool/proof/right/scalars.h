// Scalars: a sharded member of each kind and width.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace scalars {

template <typename T>
constexpr T kLeast = std::numeric_limits<T>::min();
template <typename T>
constexpr T kMost = std::numeric_limits<T>::max();
template <typename T>
constexpr T greater(T a, T b) {
  return a < b ? b : a;
}

/// Eight bits, with a sign and without one.
class [[autoshard::entity]] Bytes {
 public:
  explicit Bytes(int number) : number_(number) {}
  [[autoshard::shard_method]] void see(signed char small, unsigned char flags) {
    least_ = std::min(least_, small);
    flags_ = static_cast<unsigned char>(flags_ & flags);
  }
  int least() const { return least_; }

 private:
  [[autoshard::shard_fold]] static signed char lesser(signed char a, signed char b) { return std::min(a, b); }
  [[autoshard::shard_fold]] static unsigned char both(unsigned char a, unsigned char b) {
    return static_cast<unsigned char>(a & b);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = kMost<signed char>, shards = 2)]] signed char least_ = kMost<signed char>;
  [[autoshard::shardable(neutral = 0xFF, shards = 2)]] unsigned char flags_ = 0xFF;
};

/// A letter: the last in the alphabet.
class [[autoshard::entity]] Letter {
 public:
  explicit Letter(int page) : page_(page) {}
  [[autoshard::shard_method]] void read(char letter) { last_ = std::max(last_, letter); }
  [[autoshard::shard_method]] void read(char16_t letter) { wide_ = greater(wide_, letter); }
  [[autoshard::shard_write]] void turn() {
    last_ = kLeast<char>;
    wide_ = 0;
  }
  char last() const { return last_; }

 private:
  [[autoshard::id]] int page_;
  [[autoshard::shardable(neutral = kLeast<char>, shards = 2, fold = greater<char>)]] char last_ =
      kLeast<char>;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = greater<char16_t>)]] char16_t wide_ = 0;
};

/// Sixteen bits.
class [[autoshard::entity]] HostPorts {
 public:
  explicit HostPorts(int host) : host_(host) {}
  [[autoshard::shard_method]] void open(std::uint16_t port, short offset) {
    highest_ = std::max(highest_, port);
    parity_ = static_cast<short>(parity_ ^ offset);
  }
  int highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static std::uint16_t higher(std::uint16_t a, std::uint16_t b) {
    return greater(a, b);
  }
  [[autoshard::shard_fold]] static short flip(short a, short b) { return static_cast<short>(a ^ b); }

  [[autoshard::id]] int host_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint16_t highest_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2)]] short parity_ = 0;
};

/// Thirty-two bits: a sum, a maximum and a product.
class [[autoshard::entity]] Integers {
 public:
  explicit Integers(int number) : number_(number) {}
  [[autoshard::shard_method]] void add(int value) {
    sum_ += value;
    greatest_ = greater(greatest_, value);
  }
  [[autoshard::shard_method]] void scale(unsigned by) { product_ *= by; }
  int sum() const { return sum_; }

 private:
  [[autoshard::shard_fold(sum_)]] static int plus(int a, int b) { return a + b; }
  [[autoshard::shard_fold(greatest_)]] static int max(int a, int b) { return a > b ? a : b; }
  [[autoshard::shard_fold(product_)]] static unsigned times(unsigned a, unsigned b) { return a * b; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int sum_ = 0;
  [[autoshard::shardable(neutral = kLeast<int>, shards = 2)]] int greatest_ = kLeast<int>;
  [[autoshard::shardable(neutral = 1U, shards = 2)]] unsigned product_ = 1;
};

/// Sixty-four bits in each of the two types that have them.
class [[autoshard::entity]] LongIntegers {
 public:
  explicit LongIntegers(int number) : number_(number) {}
  [[autoshard::shard_method]] void add(long value, unsigned long long mask) {
    least_ = value < least_ ? value : least_;
    sum_ += value;
    mask_ &= mask;
    bits_ |= ~mask;
  }
  long least() const { return least_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(
      neutral = kMost<long>, shards = 2, fold = [](long a, long b) { return a < b ? a : b; })]] long least_ =
      kMost<long>;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] long long sum_ = 0;
  [[autoshard::shardable(neutral = -1, shards = 2, fold = std::bit_and<>{})]] unsigned long long mask_ =
      ~0ULL;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::bit_or<>{})]] unsigned long bits_ = 0;
};

/// Truth: any, all, and odd.
class [[autoshard::entity]] Truths {
 public:
  explicit Truths(int number) : number_(number) {}
  [[autoshard::shard_method]] void say(bool truth) {
    any_ |= truth;
    if (!truth) all_ = false;
    odd_ = odd_ != truth;
  }
  bool any() const { return any_; }

 private:
  [[autoshard::shard_fold(any_)]] static bool either(bool a, bool b) { return a || b; }
  [[autoshard::shard_fold(all_)]] static bool both(bool a, bool b) { return a && b; }
  [[autoshard::shard_fold(odd_)]] static bool differ(bool a, bool b) { return a != b; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = false, shards = 2)]] bool any_ = false;
  [[autoshard::shardable(neutral = true, shards = 2)]] bool all_ = true;
  [[autoshard::shardable(neutral = false, shards = 2)]] bool odd_ = false;
};

/// An enumeration whose order is another one than that of its numbers.
enum class Light : std::uint8_t { kRed, kGreen, kAmber, kOff };

class [[autoshard::entity]] Crossing {
 public:
  explicit Crossing(int number) : number_(number) {}
  [[autoshard::shard_method]] void show(Light light) { worst_ = worse(worst_, light); }
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
  [[autoshard::shard_fold]] static Light worse(Light a, Light b) { return severity(a) < severity(b) ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Light::kOff, shards = 2)]] Light worst_ = Light::kOff;
};

/// Flags of an enumeration without a scope, which are taken away.
enum Rights : unsigned { kNone = 0, kRead = 1, kWrite = 2, kDelete = 4, kAll = 0xFFFFFFFF };

class [[autoshard::entity]] Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  [[autoshard::shard_method]] void revoke(Rights rights) { rights_ = static_cast<Rights>(rights_ & ~rights); }
  bool may(Rights right) const { return (rights_ & right) == right; }

 private:
  [[autoshard::shard_fold]] static Rights left(Rights a, Rights b) { return static_cast<Rights>(a & b); }

  [[autoshard::id]] std::string path_;
  [[autoshard::shardable(neutral = kAll, shards = 2)]] Rights rights_ = kAll;
};

/// Durations in hours and in nanoseconds.
class [[autoshard::entity]] Flight {
 public:
  explicit Flight(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void fly(std::chrono::hours time, std::chrono::nanoseconds jitter) {
    flown_ += time;
    jitter_ = std::max(jitter_, jitter);
  }
  [[autoshard::shard_method]] void delay(std::chrono::minutes time) { delay_ -= 2 * time; }
  std::chrono::hours flown() const { return flown_; }

 private:
  [[autoshard::shard_fold]] static std::chrono::nanoseconds wider(std::chrono::nanoseconds a,
                                                                  std::chrono::nanoseconds b) {
    return b > a ? b : a;
  }

  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = std::chrono::hours(0), shards = 2,
                         fold = std::plus<>{})]] std::chrono::hours flown_{};
  [[autoshard::shardable(neutral = std::chrono::nanoseconds::min(),
                         shards = 2)]] std::chrono::nanoseconds jitter_ = std::chrono::nanoseconds::min();
  [[autoshard::shardable(neutral = std::chrono::seconds::zero(), shards = 2,
                         fold = std::plus<>{})]] std::chrono::seconds delay_{};
};

/// Points in time of two clocks.
class [[autoshard::entity]] Uptime {
 public:
  using Steady = std::chrono::time_point<std::chrono::steady_clock, std::chrono::milliseconds>;
  explicit Uptime(int host) : host_(host) {}
  [[autoshard::shard_method]] void beat(Steady at, std::chrono::sys_days day) {
    if (last_ < at) last_ = at;
    first_day_ = std::min(first_day_, day);
  }
  bool was_up(Steady at) const { return at <= last_; }

 private:
  [[autoshard::id]] int host_;
  [[autoshard::shardable(
      neutral = Steady::min(), shards = 2,
      fold = [](Steady a, Steady b) { return std::max(a, b); })]] Steady last_ = Steady::min();
  [[autoshard::shardable(
      neutral = std::chrono::sys_days::max(), shards = 2, fold = [](auto a, auto b) {
        return std::min(a, b);
      })]] std::chrono::sys_days first_day_ = std::chrono::sys_days::max();
};

/// A sum that wraps on purpose, in a type with a sign.
class [[autoshard::entity]] FileSum {
 public:
  explicit FileSum(int file) : file_(file) {}
  [[autoshard::shard_method]] void feed(std::int64_t word) { sum_ = wrap(sum_, word); }
  std::int64_t sum() const { return sum_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t wrap(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  [[autoshard::id]] int file_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int64_t sum_ = 0;
};

/// An integer that a class of its own hides.
template <typename Tag>
struct Strong {
  std::uint32_t value = 0;
  friend constexpr Strong operator+(Strong a, Strong b) { return {a.value + b.value}; }
  friend constexpr bool operator<(Strong a, Strong b) { return a.value < b.value; }
};
struct MetresTag {};
using Metres = Strong<MetresTag>;

class [[autoshard::entity]] Cable {
 public:
  explicit Cable(int drum) : drum_(drum) {}
  [[autoshard::shard_method]] void wind(Metres length) {
    total_ = total_ + length;
    longest_ = std::max(longest_, length);
  }
  Metres total() const { return total_; }

 private:
  [[autoshard::shard_fold(total_)]] static Metres add(Metres a, Metres b) { return a + b; }
  [[autoshard::shard_fold(longest_)]] static Metres longer(Metres a, Metres b) { return a < b ? b : a; }

  [[autoshard::id]] int drum_;
  [[autoshard::shardable(neutral = Metres{}, shards = 2)]] Metres total_;
  [[autoshard::shardable(neutral = Metres{0}, shards = 2)]] Metres longest_;
};

}  // namespace scalars
