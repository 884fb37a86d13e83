#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// What a mapper counts of its work, for monitoring. `autoshard/monitor.h` serves these numbers over HTTP.
namespace autoshard {

class Mapper;

/// How often values fell into ranges.
struct Histogram {
  std::vector<double> bounds{};         ///< upper bounds of the ranges, ascending; a bound is in its range
  std::vector<std::uint64_t> counts{};  ///< of each range, and last of the values above all bounds
  double sum = 0;                       ///< of all values

  std::uint64_t count() const;  ///< the number of values
};

/// The work of a mapper. Counts and histograms begin at its construction and only grow.
struct Metrics {
  /// Transactions of the store.
  std::uint64_t commits = 0;            ///< took effect
  std::uint64_t conflicts = 0;          ///< another transaction kept them from taking effect
  std::uint64_t unknown_outcomes = 0;   ///< nobody could find out whether they took effect
  std::uint64_t resolved_outcomes = 0;  ///< lost their acknowledgement, and the mapper found out the outcome
  Histogram commit_seconds{};           ///< times of all of these, with the time to find out an outcome

  /// Calls, and the updates of sharded properties.
  std::uint64_t updates = 0;          ///< committed updates
  std::uint64_t saves = 0;            ///< saved main records, besides those of new entities
  std::uint64_t retries = 0;          ///< repeated attempts of calls after conflicts
  std::uint64_t contentions = 0;      ///< calls that gave up after conflicts: they threw `Contention`
  std::uint64_t lost_updates = 0;     ///< buffered updates that could not be committed: `UpdatesLost`
  std::uint64_t unknown_updates = 0;  ///< buffered updates whose commit had an unknown outcome
  Histogram batch_updates{};          ///< numbers of updates that were committed or attempted together
  std::uint64_t waiting_callers = 0;  ///< now: callers whose update waits for the next batch
  std::uint64_t updates_in_flight =
      0;                      ///< now: updates of `apply_async`, and buffered ones, without a result
  std::uint64_t held_up = 0;  ///< waits of calls because of `MapperOptions::max_in_flight`

  /// Cached loads, in the memory of the process and in `MapperOptions::cache`.
  std::uint64_t cache_hits = 0, cache_misses = 0;
  std::uint64_t shared_cache_hits = 0, shared_cache_misses = 0;

  /// Numbers of shards that this mapper has changed, by its rules or by `admin::set_shards`.
  std::uint64_t shard_increases = 0, shard_decreases = 0;

  /// Background work, and calls of `admin::compact` and `admin::refresh_indexes`.
  std::uint64_t compactions = 0;           ///< of entities
  std::uint64_t compaction_failures = 0;   ///< of the maintenance thread
  std::uint64_t compacted_records = 0;     ///< records that compactions removed
  std::uint64_t compactable_entities = 0;  ///< now: entities in which the mapper has noticed such records
  /// Now: the time since the mapper last had no such entities. 0: it has none.
  double compaction_lag_seconds = 0;
  std::uint64_t refreshed_entities = 0;  ///< dirty entities whose entries in ranked indexes were moved
  /// Now: the time since this mapper's maintenance thread last refreshed every entity of an index; of the
  /// index that waits longest. Empty before the first such refresh.
  std::optional<double> refresh_lag_seconds{};
  std::uint64_t outage_failures = 0;  ///< failures of background work because the store was unavailable
};

namespace admin {

/// Returns what the mapper has counted. Reads one number after the other, so they may belong to slightly
/// different moments. Thread-safe, and cheap: it asks no store.
Metrics metrics(const Mapper& mapper);

}  // namespace admin
}  // namespace autoshard
