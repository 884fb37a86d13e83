#pragma once

#include <autoshard/adaptive.h>
#include <autoshard/shared_cache.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "exchange.h"
#include "mutex.h"
#include "platform.h"
#include "rules.h"
#include "usage.h"
#include "window.h"

namespace autoshard::detail {

/// A recommended change of the number of shards. Every process that sees the same windows recommends the same
/// change, so it must be made only while the number still is `from`.
struct Resize {
  PropertyId id;
  const EntityType* type;
  std::uint32_t from, to;
  std::string_view why;
};

/// Derives recommendations from statistics. Thread-safe. `hot_spots` does not wait for `close_window`.
class Adaptation {
 public:
  using Log = std::function<void(std::string_view)>;

  /// The largest number of watched properties. A property is watched if it is hot, or has more shards than
  /// its least.
  static constexpr std::size_t kMostWatched = 4'096;

  /// Without a cache the process goes by its own statistics. Throws `InvalidUse` for rules that make no
  /// sense. The arguments must outlive the object.
  Adaptation(const AdaptiveRules& rules, Usage& usage, SharedCache* cache, Log log, Time now);
  ~Adaptation();
  Adaptation(const Adaptation&) = delete;
  Adaptation& operator=(const Adaptation&) = delete;

  /// Must be called at the end of each window; does nothing less than a millisecond after the last call.
  /// Calls `resize` for each recommended change of a property that this process has updated or loaded itself.
  /// `resize` returns the number of shards afterwards, whichever process has changed it, or 0 if the entity
  /// is gone.
  void close_window(Time now, const std::function<std::uint32_t(const Resize&)>& resize);

  const AdaptiveRules& rules() const { return rules_; }

  /// Based on about the last ten windows.
  std::vector<HotSpot> hot_spots() const;

  /// Returns the number of properties in main records whose conflicts are remembered for `hot_spots`.
  std::size_t remembered() const;

 private:
  struct Watched {
    RuleState state;
    Activity last;
  };

  void add_watched(Window& window) const AUTOSHARD_REQUIRES(window_mutex_);
  Watched* watch(const PropertyId& id, const Activity& activity) AUTOSHARD_REQUIRES(window_mutex_);
  void note_main_records(const Window& window);

  const AdaptiveRules rules_;
  Usage& usage_;

  Mutex window_mutex_;  // held while a window is closed
  std::optional<Exchange> exchange_ AUTOSHARD_GUARDED_BY(window_mutex_);
  Time window_began_ AUTOSHARD_GUARDED_BY(window_mutex_);
  std::map<PropertyId, Watched> watched_ AUTOSHARD_GUARDED_BY(window_mutex_);

  mutable Mutex mutex_;
  Window main_records_ AUTOSHARD_GUARDED_BY(mutex_);         // averages of the activity of properties there
  std::uint64_t averaged_ AUTOSHARD_GUARDED_BY(mutex_) = 0;  // number of windows
};

}  // namespace autoshard::detail
