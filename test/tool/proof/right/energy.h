// Power plants, grids and clinics: loads, doses, peaks and balances.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

namespace energy {

/// What a solar roof gave and took, and the greatest it gave at once.
class [[autoshard::entity]] Roof {
 public:
  explicit Roof(int house) : house_(house) {}
  [[autoshard::shard_method]] void flow(std::int32_t watts, std::uint16_t seconds) {
    const std::int64_t work = std::int64_t{watts} * seconds;
    (watts >= 0 ? balance_.given : balance_.taken) += work;
    balance_.peak = std::max(balance_.peak, watts);
  }
  std::int64_t net() const { return balance_.given + balance_.taken; }

 private:
  struct Balance {
    std::int64_t given = 0;
    std::int64_t taken = 0;
    std::int32_t peak = std::numeric_limits<std::int32_t>::min();
  };
  [[autoshard::shard_fold]] static Balance total(const Balance& a, const Balance& b) {
    return {a.given + b.given, a.taken + b.taken, a.peak > b.peak ? a.peak : b.peak};
  }

  [[autoshard::id]] int house_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Balance balance_;
};

/// Frequency of a grid in millihertz: its extremes, and how often it left the band.
class [[autoshard::entity]] Grid {
 public:
  explicit Grid(std::string region) : region_(std::move(region)) {}
  [[autoshard::shard_method]] void frequency(std::uint32_t millihertz) {
    const bool in_band = std::clamp(millihertz, kLow, kHigh) == millihertz;
    watch_.low = std::min(watch_.low, millihertz);
    watch_.high = std::max(watch_.high, millihertz);
    watch_.out_of_band += in_band ? 0U : 1U;
  }
  std::uint32_t out_of_band() const { return watch_.out_of_band; }

 private:
  static constexpr std::uint32_t kLow = 49'800, kHigh = 50'200;
  struct Watch {
    std::uint32_t low = UINT32_MAX;
    std::uint32_t high = 0;
    std::uint32_t out_of_band = 0;
  };
  [[autoshard::shard_fold]] static Watch join(const Watch& a, const Watch& b) {
    Watch all = a;
    if (b.low < all.low) all.low = b.low;
    if (b.high > all.high) all.high = b.high;
    all.out_of_band += b.out_of_band;
    return all;
  }

  [[autoshard::id]] std::string region_;
  [[autoshard::shardable(neutral = Watch{}, shards = 8)]] Watch watch_;
};

/// The stage of an emergency: it may only rise, until it is lifted.
enum class Stage : std::uint16_t { kCalm = 0, kWatch = 10, kAlarm = 20, kBlackout = 30 };

class [[autoshard::entity]] Emergency {
 public:
  explicit Emergency(int region) : region_(region) {}
  [[autoshard::shard_method]] void declare(Stage stage) {
    if (stage > stage_) stage_ = stage;
  }
  [[autoshard::shard_method]] void shortage(int megawatts) {
    if (megawatts > 5000) {
      declare(Stage::kBlackout);
    } else if (megawatts > 500) {
      declare(Stage::kAlarm);
    }
  }
  [[autoshard::shard_write]] void lift(Stage to = Stage::kCalm) { stage_ = to; }
  Stage stage() const { return stage_; }

 private:
  [[autoshard::shard_fold]] static Stage higher(Stage a, Stage b) { return std::max(a, b); }

  [[autoshard::id]] int region_;
  [[autoshard::shardable(neutral = Stage::kCalm, shards = 2)]] Stage stage_ = Stage::kCalm;
};

/// Charged and discharged energy of a battery, bounded by what it holds.
class [[autoshard::entity]] Battery {
 public:
  explicit Battery(int number) : number_(number) {}
  [[autoshard::shard_method]] void charge(std::int64_t joules) { joules_ += joules; }
  [[autoshard::shard_method]] void discharge(std::int64_t joules) { joules_ -= joules; }
  std::int64_t joules() const { return joules_; }

 private:
  static constexpr std::int64_t kCapacity = std::int64_t{50} * 3'600'000;
  [[autoshard::shard_fold]] static std::int64_t sum(const std::int64_t& a, const std::int64_t& b) {
    return b + a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, min = 0, max = kCapacity)]] std::int64_t joules_ = 0;
};

/// Doses of a drug: the last by time, then the larger one, and how many.
class [[autoshard::entity]] Patient {
 public:
  explicit Patient(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void dose(std::chrono::sys_seconds at, std::uint32_t micrograms) {
    doses_ = add(doses_, Doses{Dose{at, micrograms}, 1});
  }
  std::uint32_t number_of_doses() const { return doses_.count; }

 private:
  struct Dose {
    std::chrono::sys_seconds at;
    std::uint32_t micrograms;
    friend auto operator<=>(const Dose&, const Dose&) = default;
  };
  struct Doses {
    std::optional<Dose> last;
    std::uint32_t count = 0;
  };
  [[autoshard::shard_fold]] static Doses add(const Doses& a, const Doses& b) {
    return {a.last < b.last ? b.last : a.last, a.count + b.count};
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Doses doses_;
};

/// Wards that have a free bed in any shift, and those that had one in all.
class [[autoshard::entity]] Hospital {
 public:
  explicit Hospital(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void shift(const std::bitset<32>& free) {
    ever_ |= free;
    always_ &= free;
  }
  bool has_room() const { return always_.any(); }

 private:
  using Wards = std::bitset<32>;
  [[autoshard::shard_fold(ever_)]] static Wards either(Wards a, Wards b) { return a | b; }
  [[autoshard::shard_fold(always_)]] static Wards both(Wards a, Wards b) { return a & b; }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = Wards(), shards = 2)]] Wards ever_;
  [[autoshard::shardable(neutral = ~Wards(), shards = 2)]] Wards always_ = ~Wards();
};

/// The worst finding of a scan: none, a size in millimetres, or a name of a grade. Sizes count below grades.
class [[autoshard::entity]] Scan {
 public:
  enum class Grade : std::uint8_t { kLow, kHigh };
  explicit Scan(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void size(std::uint16_t millimetres) {
    worst_ = worse(worst_, Finding(millimetres));
  }
  [[autoshard::shard_method]] void grade(Grade grade) { worst_ = worse(worst_, Finding(grade)); }
  bool is_clean() const { return std::holds_alternative<std::monostate>(worst_); }

 private:
  using Finding = std::variant<std::monostate, std::uint16_t, Grade>;
  [[autoshard::shard_fold]] static Finding worse(const Finding& a, const Finding& b) {
    return std::max(a, b);
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = Finding{}, shards = 2)]] Finding worst_;
};

/// Energy by tariff and day of the week, in nested arrays, with a total that the updates keep.
class [[autoshard::entity]] SmartMeter {
 public:
  explicit SmartMeter(std::uint64_t serial) : serial_(serial) {}
  [[autoshard::shard_method]] void use(unsigned weekday, unsigned hour, std::uint16_t watt_hours) {
    const bool is_night = hour < 6 || hour >= 22;
    used_.days[weekday % 7][is_night] += watt_hours;
    used_.total += watt_hours;
  }
  std::uint64_t total() const { return used_.total; }

 private:
  struct Used {
    std::array<std::array<std::uint32_t, 2>, 7> days{};
    std::uint64_t total = 0;
  };
  static void add(std::array<std::uint32_t, 2>& to, const std::array<std::uint32_t, 2>& more) {
    to[0] += more[0];
    to[1] += more[1];
  }
  [[autoshard::shard_fold]] static Used sum(Used a, const Used& b) {
    for (std::size_t day = 0; day < 7; ++day) add(a.days[day], b.days[day]);
    a.total += b.total;
    return a;
  }

  [[autoshard::id]] std::uint64_t serial_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Used used_;
};

/// Votes of a board: for, against, and whether anybody has used a veto.
class [[autoshard::entity]] Motion {
 public:
  enum Vote { kFor, kAgainst, kVeto };
  explicit Motion(int number) : number_(number) {}
  [[autoshard::shard_method]] void cast(Vote vote, unsigned shares = 1) {
    if (vote == kVeto) {
      vetoed_ = true;
      return;
    }
    (vote == kFor ? for_ : against_) += shares;
  }
  bool passes() const { return !vetoed_ && for_ > against_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned for_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned against_ = 0;
  [[autoshard::shardable(neutral = false, shards = 4, fold = std::logical_or<bool>{})]] bool vetoed_ = false;
};

}  // namespace energy
