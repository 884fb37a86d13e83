#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace autoshard {

/// How the number of shards of an adaptive property follows the load.
///
/// What happens is counted in windows of time, over all processes that share a cache, and the rules judge one
/// window after the other, for each property:
///
/// - A window is *hot* if many transactions met a conflict, if many updates had to wait for each commit, or
/// if
///   the store bears only so many writes to one record, and these come near that. After
///   `hot_windows` hot ones in a row the number of shards is doubled; but there are never more than the
///   annotation allows, than there are writers (each keeps to one shard, so that more would be idle), or than
///   loads may read. Where one writer commits for all, one shard is best; one that meets conflicts is not
///   alone.
/// - A window is *quiet* if it is not hot, and the load is a tenth of the one that the last split was made
/// for,
///   or there are more shards than would be added again. After `quiet_for` without any other window, the
///   number is halved; and after as long again, again.
/// - A split soon after a halving says that this was wrong: the time that has to be quiet then doubles, up to
///   `quiet_for_at_most`, and is `quiet_for` again once a halving has stood for twice that time.
///
/// Processes count for each other through `MapperOptions::cache` only. Several on one store without one see
/// but their own share of the load each: up to 2 shards where they meet conflicts, and quiet where it is not.
/// While the cache that they have is away, no number is halved.
///
/// For comparison: FoundationDB splits at ten times the bandwidth at which it merges; Doppel asks for half
/// the rate, twice; Ceph waits for 120 h until it takes shards away. Here a resize is cheap, and the last of
/// these is where it ends for a load that comes and goes.
///
/// All numbers are positive; times may be 0.
struct AdaptiveRules {
  std::chrono::milliseconds window{1'000};  ///< 0: it ends whenever `admin::adapt` is called

  /// Hot: at least so many conflicts a second, which are at least this share of all attempts to commit …
  double conflicts_per_second = 10;
  double conflict_share = 0.1;
  /// … or at least so many updates in each commit, on an average …
  double updates_per_commit = 16;
  /// … or, for each shard, at least this share of the writes that the store sustains for one record: an
  /// optimistic store refuses the more of them the nearer they come to that.
  double sustained_share = 0.1;
  /// So many writes a second. 0: what the store's traits say, for the mapper; no limit, where they say none.
  double sustained_writes = 0;

  std::uint32_t hot_windows = 2;

  /// Loads read at most so many shards a second, all processes and shards of a property together.
  double shards_read_per_second = 100'000;

  /// Quiet: at most the load that the last split was made for, divided by this.
  double quiet_ratio = 10;
  std::chrono::seconds quiet_for{600};
  std::chrono::seconds quiet_for_at_most = std::chrono::hours(120);
};

/// A property that is not sharded, and whose updates get into each other's way, probably: of several that
/// were changed by saves in conflict with each other, each is named, also one that only the loser has
/// changed, and one that both have changed to the same value. The first conflict of an entity does not tell
/// that of a property; from then on the mapper remembers what it loads of the entity.
struct HotSpot {
  std::string entity{};             ///< in words: `Question 42`
  std::string property{};           ///< its name in the store
  double saves_per_second = 0;      ///< of the entity's main record, that succeeded
  double conflicts_per_second = 0;  ///< saves that did not, where this property was changed
  std::uint32_t writers = 0;        ///< that save it at the same time, about
  std::string annotation{};         ///< to add to the property
  double expected_gain = 1;  ///< so many times as many updates with it, at the most that can be expected

  /// All of that as a sentence or two.
  std::string text() const;
};

}  // namespace autoshard
