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

/// Which of a property's shards an update goes to.
enum class ShardChoice {
  kSticky,  ///< one that the mapper, or without `combine` the thread, keeps to until it meets a conflict
            ///< there
  kRandom,  ///< any, every time
};

struct MapperOptions {
  RetryPolicy retry{};
  ShardChoice choice = ShardChoice::kSticky;
  /// Updates that wait at the same time, of one entity or of several, are folded and share a commit. Without,
  /// each has its own. If the store refuses a shared commit for its size, the mapper divides it: only an
  /// update that is too large by itself fails.
  bool combine = true;
  /// When `apply` and `update` return; `save`, `transact` and `apply_async` do not ask. `buffered` combines.
  Durability durability = durability::committed{};
  /// How many updates of `apply_async`, and buffered ones, may be under way before it waits; at least 1. The
  /// memory they take, some hundred bytes each, the process keeps for later ones.
  std::uint32_t max_in_flight = 16'384;
  /// How often a thread of the mapper folds the deltas of dynamic properties that it has noticed, its own
  /// ones first of all, as `admin::compact` does; of all mappers on a store one at a time, besides those that
  /// compact, or change a number of shards. It also removes entities that have expired, and refreshes the
  /// indexes of sharded members when they are due. 0: only these do, and `admin::refresh_indexes`.
  std::chrono::milliseconds compact_every{1'000};
  /// How long at least the tokens of updates that this mapper commits are remembered (see `token`). Its
  /// thread that compacts removes those that have expired, several times in that time.
  ///
  /// That time is counted by mappers that have the store open, on their steady clocks, so that a wrong clock
  /// of some machine removes no token too early. It stands still while there is none, or none that compacts
  /// or leaves tokens at least once a minute; tokens then last longer.
  std::chrono::milliseconds token_lifetime = std::chrono::hours(24);
  /// How adaptive properties follow the load; a thread of the mapper sees to it. The constructor throws
  /// `InvalidUse` for rules that make no sense.
  AdaptiveRules adaptive{};
  /// Where the processes that use a store tell each other how much they do there, and keep what is loaded
  /// with `cached::where::shared`: one cache, or prefix of its keys, for one store. Without, each goes by
  /// what it does itself (see `AdaptiveRules`). Must outlive the mapper.
  SharedCache* cache = nullptr;
  /// Called with one line on what an operator may want to know: retries that were exhausted, a commit whose
  /// outcome is unknown, an update that failed unseen. Background work logs an outage of the store once, not
  /// for each entity. From any thread, also several at a time; must not throw, nor use the mapper, which may
  /// wait for it.
  std::function<void(std::string_view)> log = {};
  /// What time it is, for entities that expire, and for the time that tokens show to earlier versions of
  /// AutoShard; without, the system's clock says. For tests of what happens then. A call asks it once, or not
  /// at all where nothing can expire; each attempt to commit an update asks it anew, and so does each run of
  /// the work of `transact`. From any thread, also several at a time. What it throws comes out of the call
  /// that asks it, and fails updates that need it, as a fold that throws does; background work logs it.
  std::function<std::chrono::system_clock::time_point()> clock = {};
};

}  // namespace autoshard
