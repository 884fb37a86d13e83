#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace autoshard {

/// How the number of shards of an adaptive property follows the load.
///
/// Use is counted in windows of time, over all processes that share a cache. The rules judge each property,
/// one window after the other:
///
/// - A window is *hot* if many transactions met a conflict, if many updates had to wait for each commit, or
///   if the writes to one record come near the limit of the store. After `hot_windows` hot windows in a row
///   the number of shards is doubled. The number never exceeds the annotation's limit, the number of writers,
///   or the number that loads may read. (Each writer keeps to one shard, so more shards than writers would be
///   idle.) If one writer commits for all, one shard is best; a writer that meets conflicts is not alone.
/// - A window is *quiet* if it is not hot and one of two conditions holds. The load is at most a tenth of the
///   load that caused the last split, or at most `conflicts_per_second`. Or there are more shards than the
///   rules would add again. After `quiet_for` of quiet windows only, the number is halved, and it is halved
///   again after each further `quiet_for`.
/// - A split soon after a halving shows that the halving was wrong. The required quiet time then doubles, up
///   to `quiet_for_at_most`. It returns to `quiet_for` once a halving has lasted for twice the required time.
///
/// Processes count each other's use through `MapperOptions::cache` only. Without a cache, each of several
/// processes on one store sees only its own share of the load. It then makes up to 2 shards if it meets
/// conflicts, and may judge a window as quiet that is not. While the configured cache is unreachable, no
/// number is halved.
///
/// For comparison: FoundationDB splits at ten times the bandwidth at which it merges; Doppel asks for half
/// the rate, twice; Ceph waits for 120 h until it takes shards away. Here a resize is cheap, so the required
/// quiet time only grows towards 120 h under a load that comes and goes.
///
/// All numbers are positive; times and `sustained_writes` may be 0.
struct AdaptiveRules {
  std::chrono::milliseconds window{1'000};  ///< 0: a window ends only when `admin::adapt` is called

  /// A window is hot if it has at least this many conflicts a second, and they are at least this share of all
  /// attempts to commit …
  double conflicts_per_second = 10;
  double conflict_share = 0.1;
  /// … or at least this many updates in each commit, on average …
  double updates_per_commit = 16;
  /// … or, for each shard, at least this share of the writes that the store sustains for one record. An
  /// optimistic store refuses more writes the nearer they come to that limit.
  double sustained_share = 0.1;
  /// Writes per second that the store sustains for one record. 0: the mapper takes the number from the
  /// store's traits; if they have none, there is no limit.
  double sustained_writes = 0;

  std::uint32_t hot_windows = 2;

  /// The limit for loads of one property: shards read per second, summed over all processes and shards.
  double shards_read_per_second = 100'000;

  /// A window is quiet if the load is at most the load of the last split, divided by this.
  double quiet_ratio = 10;
  std::chrono::seconds quiet_for{600};
  std::chrono::seconds quiet_for_at_most = std::chrono::hours(120);
};

/// A property that is not sharded and whose updates probably conflict. If conflicting saves changed several
/// properties, each of them is named. That includes a property that only the losing save changed, and a
/// property that both saves changed to the same value. The first conflict of an entity does not tell its
/// property; from then on the mapper remembers what it loads of the entity.
struct HotSpot {
  std::string entity{};             ///< in words: `Question 42`
  std::string property{};           ///< its name in the store
  double saves_per_second = 0;      ///< successful saves of the entity's main record
  double conflicts_per_second = 0;  ///< failed saves that changed this property
  std::uint32_t writers = 0;        ///< estimated number of concurrent writers
  std::string annotation{};         ///< the attribute to add to the property
  /// The factor by which the annotation can raise the rate of updates, at most.
  double expected_gain = 1;

  /// The hot spot as a sentence or two.
  std::string text() const;
};

}  // namespace autoshard
