// Product analytics: events, funnels, experiments. Style: templates and aliases for everything.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace analytics {

template <class K, class V>
using Table = std::map<K, V>;
template <class T>
using Maybe = std::optional<T>;
using Day = std::chrono::sys_days;

/// A smallest and a greatest one.
template <class T>
struct Range {
  Maybe<T> least{};
  Maybe<T> greatest{};

  void extend(const T& by) {
    if (!least || by < *least) least = by;
    if (!greatest || *greatest < by) greatest = by;
  }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Adds up whatever has `+=`, key by key.
struct AddUp {
  template <class K, class V>
  Table<K, V> operator()(Table<K, V> a, const Table<K, V>& b) const {
    for (const auto& [key, value] : b) a[key] += value;
    return a;
  }
};

template <class T>
struct Widest {
  Range<T> operator()(Range<T> a, const Range<T>& b) const {
    if (!a.least || (b.least && *b.least < *a.least)) a.least = b.least;
    if (!a.greatest || (b.greatest && *a.greatest < *b.greatest)) a.greatest = b.greatest;
    return a;
  }
};

enum class Step { kVisit, kSignUp, kPurchase };

class [[autoshard::entity]] Funnel {
 public:
  explicit Funnel(std::string name, std::vector<Step> steps = {Step::kVisit, Step::kPurchase})
      : name_(std::move(name)), steps_(std::move(steps)) {}

  template <class Visitor>
  void visit(const Visitor& visitor) const {
    for (const auto& [step, count] : reached_) visitor(step, count);
  }

  [[autoshard::shard_method]] void reach(Step step, Day on) {
    ++reached_[step];
    days_.extend(on);
  }
  [[autoshard::shard_method]] Funnel& operator|=(const std::array<std::uint64_t, 2>& users) {
    for (std::size_t i = 0; i < users.size(); ++i) users_.at(i) |= users[i];
    return *this;
  }

  Maybe<Day> since() const { return days_.least; }

 private:
  using Bits = std::array<std::uint64_t, 2>;
  [[autoshard::shard_fold]] static constexpr Bits either(Bits a, const Bits& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] |= b[i];
    return a;
  }

  [[autoshard::id]] std::string name_;
  std::vector<Step> steps_;
  [[autoshard::shardable(neutral = {}, shards = 8, fold = AddUp{})]] Table<Step, std::uint64_t> reached_;
  [[autoshard::shardable(neutral = Range<Day>{}, shards = 8, fold = Widest<Day>{})]] Range<Day> days_;
  [[autoshard::shardable(neutral = Bits{}, shards = 8)]] Bits users_{};
};

/// An A/B test.
class [[autoshard::entity("Experiment")]] AbTest {
 public:
  struct Arm {
    std::int64_t shown = 0;
    std::int64_t converted = 0;
    double revenue = 0;

    constexpr Arm& operator+=(const Arm& other) {
      shown += other.shown;
      converted += other.converted;
      revenue += other.revenue;
      return *this;
    }
    friend constexpr Arm operator+(Arm a, const Arm& b) { return a += b; }
    friend constexpr bool operator==(const Arm&, const Arm&) = default;
  };

  AbTest() = default;
  explicit AbTest(int number) : number_{number} {}

  [[autoshard::shard_method]] void shown(bool to_b) { (to_b ? b_ : a_) += Arm{.shown = 1}; }
  [[autoshard::shard_method]] void converted(bool in_b, double revenue) {
    Arm& arm = in_b ? b_ : a_;
    arm += {.converted = 1, .revenue = revenue};
  }
  std::pair<double, double> rates() const { return {rate(a_), rate(b_)}; }
  friend bool operator==(const AbTest&, const AbTest&) = default;

 private:
  static double rate(const Arm& arm) {
    return arm.shown == 0 ? 0 : static_cast<double>(arm.converted) / static_cast<double>(arm.shown);
  }

  [[autoshard::id]] int number_ = 0;
  Maybe<Day> ends_;
  [[autoshard::shardable(neutral = Arm{}, shards = 4, fold = std::plus<>{})]] Arm a_;
  [[autoshard::shardable(neutral = Arm{}, shards = 4, fold = std::plus<Arm>())]] Arm b_;
};

/// Distinct visitors of a day, by a hash; and the longest session, the shortest, and how many.
class [[autoshard::entity]] DailyVisitors {
 public:
  explicit DailyVisitors(std::int32_t day) : day_(day) {}

  [[autoshard::shard_method]] void visit(std::uint64_t hash, std::chrono::seconds stayed) noexcept(false) {
    hashes_.insert(hash);
    if (longest_ < stayed) {
      longest_ = stayed;
    }
  }
  std::size_t count() const { return hashes_.size(); }

 private:
  using Hashes = std::unordered_set<std::uint64_t>;
  [[autoshard::shard_fold]] static Hashes join(const Hashes& a, const Hashes& b) {
    Hashes both = a.size() < b.size() ? b : a;
    const Hashes& fewer = a.size() < b.size() ? a : b;
    both.insert(fewer.begin(), fewer.end());
    return both;
  }

  [[autoshard::id]] std::int32_t day_;
  [[autoshard::shardable(neutral = {}, shards = 32)]] Hashes hashes_;
  [[autoshard::shardable(neutral = std::chrono::seconds::min(), shards = 32,
                         fold = [](auto a, auto b) { return std::max(a, b); })]] std::chrono::seconds longest_ =
      std::chrono::seconds::min();
};

}  // namespace analytics
