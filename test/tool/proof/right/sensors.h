// Sensors: readings, extremes, alarms and meters.
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
#include <tuple>
#include <utility>

namespace sensors {

/// The last reading: of two at one time the greater one.
class [[autoshard::entity]] Thermometer {
 public:
  explicit Thermometer(int number) : number_(number) {}
  [[autoshard::shard_method]] void read(std::chrono::sys_seconds at, std::int16_t tenths) {
    last_ = newer(last_, Reading{at, tenths});
  }
  int tenths() const { return last_.tenths; }

 private:
  struct Reading {
    std::chrono::sys_seconds at = std::chrono::sys_seconds::min();
    std::int16_t tenths = std::numeric_limits<std::int16_t>::min();
  };
  [[autoshard::shard_fold]] static Reading newer(const Reading& a, const Reading& b) {
    if (a.at == b.at) return {a.at, std::max(a.tenths, b.tenths)};
    return a.at > b.at ? a : b;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Reading{}, shards = 4)]] Reading last_;
};

/// Extremes of the day, with the minutes at which they were first reached.
class [[autoshard::entity]] WeatherDay {
 public:
  WeatherDay(int station, int day) : station_(station), day_(day) {}
  [[autoshard::shard_method]] void measure(int minute, int degrees) {
    const Extreme now{degrees, minute};
    warmest_ = warmer(warmest_, now);
    coldest_ = colder(coldest_, now);
  }
  int range() const { return warmest_.degrees - coldest_.degrees; }

 private:
  struct Extreme {
    int degrees;
    int minute;
    friend bool operator==(const Extreme&, const Extreme&) = default;
  };
  static constexpr Extreme kWarmest{INT32_MIN, INT32_MAX};
  static constexpr Extreme kColdest{INT32_MAX, INT32_MAX};
  [[autoshard::shard_fold(warmest_)]] static Extreme warmer(Extreme a, Extreme b) {
    if (a.degrees < b.degrees || (a.degrees == b.degrees && a.minute > b.minute)) std::swap(a, b);
    return a;
  }
  [[autoshard::shard_fold(coldest_)]] static Extreme colder(Extreme a, Extreme b) {
    if (b.degrees < a.degrees || (b.degrees == a.degrees && b.minute < a.minute)) return b;
    return a;
  }

  [[autoshard::id]] int station_;
  [[autoshard::id]] int day_;
  [[autoshard::shardable(neutral = kWarmest, shards = 4)]] Extreme warmest_ = kWarmest;
  [[autoshard::shardable(neutral = kColdest, shards = 4)]] Extreme coldest_ = kColdest;
};

/// A meter that counts pulses; each is a tenth of a litre.
class [[autoshard::entity]] WaterMeter {
 public:
  explicit WaterMeter(std::uint64_t serial) : serial_(serial) {}
  [[autoshard::shard_method]] void pulses(std::uint16_t number) { tenths_ += number; }
  [[autoshard::shard_method]] void flow(std::uint16_t litres) { tenths_ += 10U * litres; }
  std::uint64_t litres() const { return tenths_ / 10; }

 private:
  [[autoshard::id]] std::uint64_t serial_;
  [[autoshard::shardable(neutral = 0U, fold = std::plus<>())]] std::uint64_t tenths_ = 0;
};

/// Alarms that are latched until a guard resets them.
class [[autoshard::entity]] AlarmPanel {
 public:
  explicit AlarmPanel(std::string building) : building_(std::move(building)) {}
  [[autoshard::shard_method]] void trip(std::uint8_t zone, bool tampered) {
    if (zone < 64) state_.zones |= std::uint64_t{1} << zone;
    state_.tampered = state_.tampered || tampered;
    ++state_.trips;
  }
  [[autoshard::shard_write]] void reset() { state_ = State{}; }
  bool is_quiet() const { return state_.zones == 0; }

 private:
  struct State {
    std::uint64_t zones = 0;
    unsigned trips = 0;
    bool tampered = false;
    State operator|(const State& other) const {
      return {zones | other.zones, trips + other.trips, tampered || other.tampered};
    }
  };
  [[autoshard::shard_fold]] static State both(const State& a, const State& b) { return a | b; }

  [[autoshard::id]] std::string building_;
  [[autoshard::shardable(neutral = State{}, shards = 4)]] State state_;
};

/// The reading that comes closest to twenty degrees; of two as close, the colder.
class [[autoshard::entity]] Room {
 public:
  explicit Room(int number) : number_(number) {}
  [[autoshard::shard_method]] void read(std::int32_t degrees) {
    if (off(degrees) < off(best_) || (off(degrees) == off(best_) && degrees < best_)) best_ = degrees;
  }
  std::int32_t best() const { return best_; }

 private:
  static constexpr std::int32_t kWanted = 20;
  static constexpr std::int64_t off(std::int32_t degrees) {
    const std::int64_t difference = std::int64_t{degrees} - kWanted;
    return difference < 0 ? -difference : difference;
  }
  [[autoshard::shard_fold]] static std::int32_t closer(std::int32_t a, std::int32_t b) {
    if (off(a) == off(b)) return std::min(a, b);
    return off(a) < off(b) ? a : b;
  }

  [[autoshard::id]] int number_;
  // The farthest of all numbers.
  [[autoshard::shardable(neutral = INT32_MIN, shards = 2)]] std::int32_t best_ = INT32_MIN;
};

/// Vehicles by lane and class, and the fastest of all.
class [[autoshard::entity]] RoadLoop {
 public:
  explicit RoadLoop(int road) : road_(road) {}
  [[autoshard::shard_method]] void pass(std::uint8_t lane, bool is_truck, std::uint16_t speed) {
    Lane& at = passed_.lanes[lane & 1];
    is_truck ? ++at.trucks : ++at.cars;
    passed_.fastest = std::max({passed_.fastest, speed, kSlowest});
  }
  std::uint32_t trucks() const { return passed_.lanes[0].trucks + passed_.lanes[1].trucks; }

 private:
  struct Lane {
    std::uint32_t cars = 0;
    std::uint32_t trucks = 0;
  };
  struct Passed {
    std::array<Lane, 2> lanes;
    std::uint16_t fastest = 0;
  };
  static constexpr std::uint16_t kSlowest = 5;
  [[autoshard::shard_fold]] static Passed merge(Passed a, const Passed& b) {
    for (std::size_t i = 0; i < a.lanes.size(); ++i) {
      a.lanes[i].cars += b.lanes[i].cars;
      a.lanes[i].trucks += b.lanes[i].trucks;
    }
    a.fastest = a.fastest < b.fastest ? b.fastest : a.fastest;
    return a;
  }

  [[autoshard::id]] int road_;
  [[autoshard::shardable(neutral = Passed{}, shards = 8)]] Passed passed_;
};

/// Pixels of a sky survey in which something moved: lit an odd number of times.
class [[autoshard::entity]] SkyField {
 public:
  explicit SkyField(int field) : field_(field) {}
  [[autoshard::shard_method]] void frame(const std::bitset<48>& lit) { moved_ ^= lit; }
  [[autoshard::shard_method]] void pixel(std::size_t at) { moved_.flip(at % 48); }
  bool moved() const { return moved_.any(); }

 private:
  [[autoshard::id]] int field_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::bit_xor<>{})]] std::bitset<48> moved_;
};

/// How long a machine ran and stood, and the longest of its stops.
class [[autoshard::entity]] Machine {
 public:
  using Seconds = std::chrono::duration<std::int32_t>;
  explicit Machine(int number) : number_(number) {}
  [[autoshard::shard_method]] void ran(Seconds time) { shift_.ran += time; }
  [[autoshard::shard_method]] void stood(Seconds time) {
    shift_.stood += time;
    if (time > shift_.longest) shift_.longest = time;
  }
  Seconds total() const { return shift_.ran + shift_.stood; }

 private:
  struct Shift {
    Seconds ran{0};
    Seconds stood{0};
    Seconds longest = Seconds::min();
  };
  [[autoshard::shard_fold]] static Shift add(const Shift& a, const Shift& b) {
    return {a.ran + b.ran, a.stood + b.stood, std::max(a.longest, b.longest)};
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Shift shift_;
};

/// The strongest quake: by magnitude, then by time, then by place.
class [[autoshard::entity]] Quakes {
 public:
  explicit Quakes(int region) : region_(region) {}
  [[autoshard::shard_method]] void quake(std::uint16_t magnitude, std::int64_t time, std::int32_t place) {
    const Quake quake{magnitude, time, place};
    strongest_ = !strongest_ || *strongest_ < quake ? std::optional(quake) : strongest_;
  }
  bool any() const { return strongest_.has_value(); }

 private:
  using Quake = std::tuple<std::uint16_t, std::int64_t, std::int32_t>;
  [[autoshard::shard_fold]] static std::optional<Quake> stronger(const std::optional<Quake>& a,
                                                                 const std::optional<Quake>& b) {
    return std::max(a, b);
  }

  [[autoshard::id]] int region_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::optional<Quake> strongest_;
};

/// Dust by hour of the day, in a ring of 24 sums that a filter's change clears.
class [[autoshard::entity]] DustFilter {
 public:
  explicit DustFilter(int number) : number_(number) {}
  [[autoshard::shard_method]] void collect(std::uint64_t second, std::uint16_t micrograms) {
    hours_[second / 3600 % hours_.size()] += micrograms;
  }
  [[autoshard::shard_write]] void changed() { hours_.fill(0); }
  std::uint32_t at(std::size_t hour) const { return hours_.at(hour); }

 private:
  using Hours = std::array<std::uint32_t, 24>;
  [[autoshard::shard_fold]] static Hours add(Hours a, const Hours& b) {
    for (auto [x, y] = std::pair(a.begin(), b.begin()); x != a.end(); ++x, ++y) *x += *y;
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Hours hours_{};
};

}  // namespace sensors
