#pragma once

#include <autoshard/adaptive.h>
#include <autoshard/durability.h>
#include <autoshard/retry.h>
#include <autoshard/shared_cache.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace autoshard {

/// Chooses the shard of a property that an update goes to.
enum class ShardChoice {
  /// A shard that the mapper keeps to until it meets a conflict there. Without `combine` each thread has its
  /// own shard.
  kSticky,
  /// A random shard for every commit; updates that share a commit go to the same shard number.
  kRandom,
};

/// The options of a mapper. They are read when the mapper is made.
struct MapperOptions {
  /// How often a commit is tried again after a conflict, and for how long.
  RetryPolicy retry{};
  /// The shard that an update of a property with several shards goes to.
  ShardChoice choice = ShardChoice::kSticky;
  /// Updates that wait at the same time, of one entity or of several, are folded and share a commit. If
  /// false, each update has a commit of its own. If the store refuses a shared commit for its size, the
  /// mapper divides it: only an update that is too large by itself fails.
  bool combine = true;
  /// Says when `apply` and `update` return. `save`, `transact` and `apply_async` ignore it. `buffered`
  /// implies `combine`.
  Durability durability = durability::committed{};
  /// The largest number of updates of `apply_async`, and of buffered updates, in flight before a call waits;
  /// at least 1. Each takes some hundred bytes, which the process keeps for later updates, and its values: at
  /// most 256 KiB of a buffered update, any number of bytes of `apply_async`.
  std::uint32_t max_in_flight = 16'384;
  /// The interval of the maintenance thread. It compacts, as `admin::compact` does, the entities in which
  /// this mapper has noticed records to compact: deltas, old buckets of windows, and what a resize, a
  /// replacement or an interrupted erase has left. Of classes with windows it also looks for old buckets that
  /// no load or update notices. It removes expired entities, tokens and marks, and refreshes the indexes of
  /// sharded members when they are due. Of all mappers on a store only one does this at a time; calls of
  /// `admin::compact` and changes of a number of shards run besides. 0: no thread; only `admin::compact` and
  /// `admin::refresh_indexes` do this work.
  std::chrono::milliseconds compact_every{1'000};
  /// The shortest time for which the tokens of this mapper's updates are remembered (see `token`). The
  /// maintenance thread removes expired tokens several times within that time.
  ///
  /// Mappers that have the store open measure the time on their steady clocks, so a wrong clock of a machine
  /// removes no token too early. The time stands still while no mapper has the store open, or while none
  /// compacts or leaves tokens at least once a minute. Tokens then last longer. The constructor of the mapper
  /// throws `InvalidUse` for a negative time.
  std::chrono::milliseconds token_lifetime = std::chrono::hours(24);
  /// How adaptive properties follow the load; a thread of the mapper applies the rules. The constructor of
  /// the mapper throws `InvalidUse` for a negative value, and for 0 if the value must be positive.
  AdaptiveRules adaptive{};
  /// The cache through which the processes on one store exchange statistics, and in which loads with
  /// `cached::where::shared` are kept. Each store needs a cache, or a prefix of keys, of its own. Without a
  /// cache, a mapper goes by its own load alone (see `AdaptiveRules`). Must outlive the mapper.
  SharedCache* cache = nullptr;
  /// Called with one line for operators: exhausted retries, a commit whose outcome is unknown, an update
  /// whose failure no caller saw. Background work logs an outage of the store once, not once for each entity.
  /// Called from any thread, also concurrently. Must not throw, and must not use the mapper, which may wait
  /// for the call.
  std::function<void(std::string_view)> log = {};
  /// The clock for entities that expire, for the buckets of windows, and for the time that tokens show to
  /// earlier versions of AutoShard; by default the system's clock. For tests. A call with one entity reads it
  /// once, or not at all if the class has neither expiry nor windows; a call with several entities, and
  /// `transact`, always read it. Each attempt to commit an update, each run of the work of `transact`, each
  /// look of a cached load and each step of `erase_element` read it anew. Called from any thread, also
  /// concurrently. An exception of it comes out of the call that reads the clock; it fails the updates that
  /// need the time, as a fold that throws does. Background work logs the exception.
  std::function<std::chrono::system_clock::time_point()> clock = {};
};

}  // namespace autoshard
