#pragma once

#include <autoshard/metrics.h>
#include <autoshard/store.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "platform.h"

namespace autoshard::detail {

/// A number that many threads count up. It says nothing about the order of other memory.
class Counter {
 public:
  void add(std::uint64_t number = 1) { value_.fetch_add(number, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Counts values in ranges, each twice as wide as the previous one: up to 2^kFirst, up to 2^(kFirst + 1), and
/// so on. The last one has no upper bound. Thread-safe, without locks.
template <int kFirst, std::size_t kRanges>
class PowersOfTwo {
 public:
  void add(std::uint64_t value) {
    const int above =
        value <= 1 ? 0 : static_cast<int>(std::bit_width(value - 1)) - kFirst;  // of the first range
    counts_[std::min(static_cast<std::size_t>(std::max(above, 0)), kRanges - 1)].add();
    sum_.add(value);
  }

  /// `unit`: of a value, as in 1e-6 for values in microseconds and bounds in seconds.
  Histogram histogram(double unit) const {
    Histogram histogram;
    for (std::size_t i = 0; i < kRanges; ++i) {
      if (i + 1 < kRanges)
        histogram.bounds.push_back(static_cast<double>(std::uint64_t{1} << (kFirst + i)) * unit);
      histogram.counts.push_back(counts_[i].value());
    }
    histogram.sum = static_cast<double>(sum_.value()) * unit;
    return histogram;
  }

 private:
  std::array<Counter, kRanges> counts_;
  Counter sum_;
};

/// What one mapper counts, see `Metrics`. Most are counted once a transaction, whatever it contains.
/// Thread-safe.
struct Counters {
  using Duration = platform::Clock::duration;

  /// Counts a transaction that has ended. One that the store would not fold is made again, and not counted.
  void note_commit(CommitOutcome outcome, Duration took) {
    if (outcome == CommitOutcome::kNotFolded) return;
    if (outcome == CommitOutcome::kCommitted) commits.add();
    if (outcome == CommitOutcome::kConflict) conflicts.add();
    if (outcome == CommitOutcome::kUnknown) unknown_outcomes.add();
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    commit_microseconds.add(static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 0)));
  }

  Counter commits, conflicts, unknown_outcomes;
  PowersOfTwo<4, 22> commit_microseconds;  // from 16 µs to 16.8 s
  Counter updates, saves, retries, contentions, lost_updates, unknown_updates;
  PowersOfTwo<0, 16> batch_updates;  // from 1 to 16,384
  Counter shared_cache_hits, shared_cache_misses;
  Counter shard_increases, shard_decreases;
  Counter compactions, compaction_failures, compacted_records, refreshed_entities;
};

}  // namespace autoshard::detail
