// Metrics of a fleet of servers. Style: Google's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace fleet::metrics {

// Counts distinct values approximately (Flajolet et al. 2007), without its corrections for small counts.
class [[autoshard::embedded]] HyperLogLog {
 public:
  static constexpr int kBits = 4;

  HyperLogLog() = default;

  constexpr void Add(std::uint64_t hash) {
    const auto bucket = static_cast<std::size_t>(hash >> (64 - kBits));
    const auto rank = static_cast<std::uint8_t>(std::countl_zero((hash << kBits) | 1) + 1);
    registers_[bucket] = std::max(registers_[bucket], rank);
  }

  constexpr void Merge(const HyperLogLog& other) {
    for (std::size_t i = 0; i < registers_.size(); ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
  }

  double Estimate() const {
    double sum = 0;
    for (const std::uint8_t rank : registers_) sum += std::ldexp(1.0, -rank);
    const auto m = static_cast<double>(registers_.size());
    return 0.673 * m * m / sum;
  }

  friend bool operator==(const HyperLogLog&, const HyperLogLog&) = default;

 private:
  std::array<std::uint8_t, (1U << kBits)> registers_{};
};

// The k greatest different samples.
template <typename T, std::size_t kCapacity>
struct TopK {
  std::set<T> values;

  void Add(const T& value) {
    values.insert(value);
    if (values.size() > kCapacity) values.erase(values.begin());
  }
  friend bool operator==(const TopK&, const TopK&) = default;
};

// Visitors of a page; nobody asks for their names.
class [[autoshard::entity]] Audience {
 public:
  Audience(std::string page, std::chrono::year_month_day day) : page_(std::move(page)), year_(int(day.year())) {}

  [[autoshard::shard_method]] void See(std::uint64_t visitor_hash) {
    visitors_.Add(visitor_hash);
    ++views_;
  }
  double visitors() const { return visitors_.Estimate(); }
  std::uint64_t views() const { return views_; }

 private:
  [[autoshard::shard_fold]] static HyperLogLog Merged(HyperLogLog a, const HyperLogLog& b) {
    a.Merge(b);
    return a;
  }

  [[autoshard::id]] std::string page_;
  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] HyperLogLog visitors_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t views_ = 0;
};

// Latencies of one endpoint: how many, how long in all, the shortest, the longest, and the worst five.
class [[autoshard::entity("fleet.Latency")]] Latency {
 public:
  using Micros = std::chrono::microseconds;

  explicit Latency(std::string endpoint) noexcept : endpoint_(std::move(endpoint)) {}

  [[autoshard::shard_method]] void Observe(Micros took) {
    ++count_;
    total_ += took;
    shortest_ = std::min(shortest_, took);
    longest_ = std::max(longest_, took);
  }
  [[autoshard::shard_method]] void Keep(std::int64_t micros) { worst_.Add(micros); }

  constexpr std::uint64_t count() const { return count_; }
  Micros mean() const { return count_ == 0 ? Micros{0} : total_ / static_cast<std::int64_t>(count_); }
  Micros longest() const { return longest_; }
  const std::set<std::int64_t>& worst() const { return worst_.values; }

 private:
  using Worst = TopK<std::int64_t, 5>;

  [[autoshard::shard_fold(shortest_)]] static Micros Least(Micros a, Micros b) { return std::min(a, b); }
  [[autoshard::shard_fold(longest_)]] static Micros Greatest(Micros a, Micros b) { return std::max(a, b); }
  [[autoshard::shard_fold(total_)]] static constexpr Micros Sum(Micros a, Micros b) { return a + b; }
  [[autoshard::shard_fold]] static Worst Join(Worst a, Worst&& b) {
    for (const std::int64_t value : b.values) a.Add(value);
    return a;
  }

  [[autoshard::id]] std::string endpoint_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<std::uint64_t>())]] std::uint64_t count_ = 0;
  [[autoshard::shardable(neutral = Micros::zero(), shards = 16)]] Micros total_{};
  [[autoshard::shardable(neutral = Micros::max(), shards = 16)]] Micros shortest_ = Micros::max();
  [[autoshard::shardable(neutral = Micros::min(), shards = 16)]] Micros longest_ = Micros::min();
  [[autoshard::shardable(neutral = {}, shards = 16)]] Worst worst_;
};

// A probability that a request fails nowhere on its way: a product.
class [[autoshard::entity]] Reliability {
 public:
  explicit Reliability(long path) : path_(path) {}
  [[autoshard::shard_method]] auto Hop(double works) & -> void { works_ *= works; }
  [[autoshard::shard_method]] auto Flip(std::uint32_t mask) noexcept { return parity_ ^= mask, void(); }
  double works() const { return works_; }

 private:
  [[autoshard::id]] long path_;
  [[autoshard::shardable(neutral = 1, shards = 3, fold = std::multiplies<>{})]] double works_ = 1;
  [[autoshard::shardable(neutral = 0, shards = 3, fold = [](auto a, auto b) { return a ^ b; })]] std::uint32_t parity_{0};
};

}  // namespace fleet::metrics
