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

/// A change of the number of shards that would do good. Every process that sees the same windows wants the
/// same: to be done only while there still are `from`.
struct Resize {
  PropertyId id;
  const EntityType* type;
  std::uint32_t from, to;
  std::string_view why;
};

/// From what happens to what is to be done about it. `close_window` is for one thread at a time; `hot_spots`
/// may be called meanwhile.
class Adaptation {
 public:
  using Log = std::function<void(std::string_view)>;

  /// How many properties at most are watched because they are hot, or have more shards than their least.
  static constexpr std::size_t kMostWatched = 4'096;

  /// Without a cache this process goes by its own statistics. `InvalidUse` for rules that make no
  /// sense. What is passed must outlive it.
  Adaptation(const AdaptiveRules& rules, Usage& usage, SharedCache* cache, Log log, Time now);
  ~Adaptation();
  Adaptation(const Adaptation&) = delete;
  Adaptation& operator=(const Adaptation&) = delete;

  /// To be called whenever a window is over; does nothing less than a millisecond after the last call. Calls
  /// `resize` for each change that would do good, of those properties that this process has updated or loaded
  /// itself; it returns how many shards there are then, whoever has made them, or 0 if there is no such
  /// entity any more.
  void close_window(Time now, const std::function<std::uint32_t(const Resize&)>& resize);

  /// From about the last ten windows.
  std::vector<HotSpot> hot_spots() const;

  /// Of how many properties in main records it remembers conflicts for that.
  std::size_t remembered() const;

 private:
  struct Watched {
    RuleState state;
    Activity last;
  };

  void add_watched(Window& window) const;
  Watched* watch(const PropertyId& id, const Activity& activity);
  void note_main_records(const Window& window);

  const AdaptiveRules rules_;
  Usage& usage_;
  std::optional<Exchange> exchange_;
  Time window_began_;
  std::map<PropertyId, Watched> watched_;

  mutable Mutex mutex_;
  Window main_records_ AUTOSHARD_GUARDED_BY(mutex_);         // averages of what happened to properties there
  std::uint64_t averaged_ AUTOSHARD_GUARDED_BY(mutex_) = 0;  // so many windows
};

}  // namespace autoshard::detail
