#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "mutex.h"
#include "platform.h"
#include "usage.h"
#include "window.h"

namespace autoshard::detail {

/// A change of a number of shards that this mapper has made.
struct ObservedChange {
  std::chrono::system_clock::time_point time;
  PropertyId id;
  std::uint32_t from, to;
  std::string why;
};

/// What the observer of a mapper sees: the activity of all properties, and changes of numbers of shards. It
/// is apart from the statistics of the adaptive rules, so neither takes anything from the other. Costs the
/// test of a flag while there is no observer. Bounded in memory. Thread-safe.
class Observation {
 public:
  static constexpr std::size_t kMostChanges = 1'024;

  /// Returns whether there was no observer. From now on there is one.
  bool begin(platform::Clock::time_point now);
  void end() { is_on_.store(false, std::memory_order_release); }
  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }

  /// Counts events while `is_on`.
  Usage& usage() { return usage_; }
  void note_change(ObservedChange change);

  struct Seen {
    std::chrono::duration<double> length;
    Window window;
    std::vector<ObservedChange> changes;
  };
  /// Returns what was observed since the last call, or since `begin`.
  Seen take(platform::Clock::time_point now);

 private:
  std::atomic<bool> is_on_{false};
  Usage usage_;
  Mutex mutex_;
  platform::Clock::time_point began_ AUTOSHARD_GUARDED_BY(mutex_);
  std::deque<ObservedChange> changes_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::detail
