// Logistics: loads, routes, stops and where vehicles were.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace logistics {

/// What lies on a truck, which carries 24 tonnes.
class [[autoshard::entity]] Truck {
 public:
  static constexpr long kMost = 24'000;
  explicit Truck(std::string plate) : plate_(std::move(plate)) {}
  [[autoshard::shard_method]] void load(long kilograms) { load_ += kilograms; }
  [[autoshard::shard_method]] void unload(long kilograms) { load_ -= kilograms; }
  long free() const { return kMost - load_; }

 private:
  [[autoshard::shard_fold]] static long add(long a, long b) { return a + b; }

  [[autoshard::id]] std::string plate_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0, max = kMost)]] long load_ = 0;
};

/// The largest side of any parcel in each dimension, and the sum of their volumes.
class [[autoshard::entity]] Container {
 public:
  explicit Container(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void add(std::uint16_t length, std::uint16_t width, std::uint16_t height) {
    content_.largest = largest(content_.largest, {length, width, height});
    content_.volume += std::uint64_t{length} * width * height;
  }
  std::uint64_t volume() const { return content_.volume; }

 private:
  using Size = std::array<std::uint16_t, 3>;
  struct Content {
    Size largest{};
    std::uint64_t volume = 0;
  };
  static Size largest(Size a, const Size& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
    return a;
  }
  [[autoshard::shard_fold]] static Content merge(const Content& a, const Content& b) {
    return {largest(a.largest, b.largest), a.volume + b.volume};
  }

  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Content content_;
};

/// The last known place: the later report, then the one with the higher sequence number, then the place
/// itself.
class [[autoshard::entity]] Vehicle {
 public:
  explicit Vehicle(std::uint32_t number) : number_(number) {}
  [[autoshard::shard_method]] void report(std::int64_t at, std::uint16_t sequence, std::int32_t x,
                                          std::int32_t y) {
    Place place{at, sequence, x, y};
    if (newer(last_, place)) std::swap(last_, place);
  }
  std::pair<std::int32_t, std::int32_t> place() const { return {last_.x, last_.y}; }

 private:
  struct Place {
    std::int64_t at = std::numeric_limits<std::int64_t>::min();
    std::uint16_t sequence = 0;
    std::int32_t x = std::numeric_limits<std::int32_t>::min();
    std::int32_t y = std::numeric_limits<std::int32_t>::min();
  };
  static bool newer(const Place& a, const Place& b) {
    return std::tie(a.at, a.sequence, a.x, a.y) < std::tie(b.at, b.sequence, b.x, b.y);
  }
  [[autoshard::shard_fold]] static Place last(const Place& a, const Place& b) { return newer(a, b) ? b : a; }

  [[autoshard::id]] std::uint32_t number_;
  [[autoshard::shardable(neutral = Place{}, shards = 2)]] Place last_;
};

/// Stops of a line that were served; all are served once every bit is set.
class [[autoshard::entity]] BusLine {
 public:
  explicit BusLine(int number) : number_(number) {}
  [[autoshard::shard_method]] void stop(unsigned at) { served_ |= bit(at); }
  [[autoshard::shard_method]] void drive(unsigned from, unsigned to) {
    for (unsigned at = 0; at < 32; ++at) {
      if (at >= from && at <= to) served_ |= bit(at);
    }
  }
  bool is_served(unsigned at) const { return (served_ & bit(at)) != 0; }

 private:
  static constexpr std::uint32_t bit(unsigned at) { return std::uint32_t{1} << (at & 31U); }
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::bit_or<>{})]] std::uint32_t served_ = 0;
};

/// A depot's doors, open or shut by a rocker switch.
class [[autoshard::entity]] Doors {
 public:
  explicit Doors(int depot) : depot_(depot) {}
  [[autoshard::shard_method]] void press(std::size_t door) {
    std::bitset<12> pressed;
    pressed.set(door % pressed.size());
    open_ = open_ ^ pressed;
  }
  bool is_open(std::size_t door) const { return open_.test(door); }

 private:
  [[autoshard::shard_fold]] static std::bitset<12> toggle(const std::bitset<12>& a,
                                                          const std::bitset<12>& b) {
    return a ^ b;
  }

  [[autoshard::id]] int depot_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::bitset<12> open_;
};

/// Delays: how many, in all, and the longest; early arrivals count as none.
class [[autoshard::entity]] Timetable {
 public:
  explicit Timetable(std::string line) : line_(std::move(line)) {}
  [[autoshard::shard_method]] void arrive(std::chrono::minutes planned, std::chrono::minutes real) {
    const std::chrono::minutes late = std::max(real - planned, std::chrono::minutes::zero());
    auto& [arrivals, total, longest] = delays_;
    ++arrivals;
    total += late;
    longest = std::max(longest, late);
  }
  long arrivals() const { return std::get<long>(delays_); }

 private:
  using Delays = std::tuple<long, std::chrono::minutes, std::chrono::minutes>;
  static constexpr Delays none() { return {0, std::chrono::minutes{0}, std::chrono::minutes::min()}; }
  [[autoshard::shard_fold]] static Delays merge(const Delays& a, const Delays& b) {
    return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b),
            std::max(std::get<2>(a), std::get<2>(b))};
  }

  [[autoshard::id]] std::string line_;
  [[autoshard::shardable(neutral = none(), shards = 4)]] Delays delays_ = none();
};

/// Kilometres by toll class, and what a trip costs more abroad.
class [[autoshard::entity]] Toll {
 public:
  explicit Toll(int company) : company_(company) {}
  [[autoshard::shard_method]] void drive(int axles, std::uint32_t kilometres) {
    const std::size_t at = axles <= 2 ? 0 : axles == 3 ? 1 : 2;
    driven_[at] += kilometres;
    driven_[3] += kilometres * kCents[at];
  }
  std::uint64_t cents() const { return driven_[3]; }

 private:
  static constexpr std::array<std::uint64_t, 3> kCents = {8, 12, 17};
  using Driven = std::array<std::uint64_t, 4>;
  [[autoshard::shard_fold]] static Driven add(const Driven& a, const Driven& b) {
    Driven sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + b[i];
    return sum;
  }

  [[autoshard::id]] int company_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Driven driven_{};
};

/// The greatest length that divides all lengths of a batch, and how many there are.
class [[autoshard::entity]] Timber {
 public:
  explicit Timber(int batch) : batch_(batch) {}
  [[autoshard::shard_method]] void beam(std::uint16_t length) {
    batch_of_.step = std::gcd(batch_of_.step, std::uint64_t{length});
    ++batch_of_.beams;
  }
  std::uint64_t step() const { return batch_of_.step; }

 private:
  struct Beams {
    std::uint64_t step = 0;
    std::uint32_t beams = 0;
  };
  [[autoshard::shard_fold]] static Beams join(const Beams& a, const Beams& b) {
    return {std::gcd(a.step, b.step), a.beams + b.beams};
  }

  [[autoshard::id]] int batch_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Beams batch_of_;
};

/// How far pallets were moved, along both axes.
class [[autoshard::entity]] Crane {
 public:
  explicit Crane(int hall) : hall_(hall) {}
  [[autoshard::shard_method]] void move(int dx, int dy) {
    moved_.distance += static_cast<std::uint64_t>(std::abs(long{dx}) + std::abs(long{dy}));
    moved_.x += dx;
    moved_.y += dy;
  }
  std::uint64_t distance() const { return moved_.distance; }

 private:
  struct Moved {
    long x = 0, y = 0;
    std::uint64_t distance = 0;
    friend Moved operator+(Moved a, const Moved& b) {
      a.x += b.x;
      a.y += b.y;
      a.distance += b.distance;
      return a;
    }
  };

  [[autoshard::id]] int hall_;
  [[autoshard::shardable(neutral = Moved{}, shards = 4, fold = std::plus<Moved>{})]] Moved moved_;
};

/// The first free berth that ships were sent to: a minimum where zero means none.
class [[autoshard::entity]] Harbour {
 public:
  explicit Harbour(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void send_to(std::uint8_t berth) { first_ = first(first_, berth); }
  int first() const { return first_; }

 private:
  [[autoshard::shard_fold]] static std::uint8_t first(std::uint8_t a, std::uint8_t b) {
    if (a == 0) return b;
    if (b == 0) return a;
    return std::min(a, b);
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint8_t first_ = 0;
};

}  // namespace logistics
