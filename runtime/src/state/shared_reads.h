#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/shared_cache.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform.h"

namespace autoshard::detail {

/// Entities as some process loaded them, in a cache that processes share. Thread-safe.
///
/// The cache limits the age of a value by removing it; loads that allow another age use other keys. After
/// this mapper has changed an entity, it reads the entity from the store until every cached value must be
/// newer than the change. A value that took long to reach the cache is older than its lifetime there shows.
/// Only for that case the value contains the time of day when it was read, and the clocks of machines are
/// compared.
class SharedReads {
 public:
  using Time = platform::Clock::time_point;
  using Day = std::chrono::system_clock::time_point;

  /// The present time, by the clock of this process and by the clock of all processes.
  struct Moment {
    Time here = platform::Clock::now();
    Day everywhere = platform::SystemClock::now();
  };

  /// The largest expected difference between clocks of machines.
  static constexpr std::chrono::seconds kTolerance{1};
  using Log = std::function<void(std::string_view)>;

  /// Without a cache the object holds nothing. `cache` must outlive it.
  SharedReads(SharedCache* cache, Log log);

  /// Fills in the entity as it was at most `at_most` ago. Returns false if there is no valid value; parts of
  /// the entity may then be filled in.
  bool read(const EntityRef& entity, std::chrono::nanoseconds at_most, const Moment& now) noexcept;

  /// Puts the result of a load that began at `began`, with the main record that it read.
  void put(const EntityRef& entity, std::string_view main_record, std::chrono::nanoseconds at_most,
           const Moment& began, Time now) noexcept;

  /// Must be called after this mapper has changed the entity.
  void note_change(EntityKeyView key, Time now) noexcept;
  void note_change(EntityKeyView key) noexcept {
    if (cache_) note_change(key, platform::Clock::now());
  }

 private:
  /// The time of the last change of an entity whose key has this hash, in some bits of the hash; 0: never.
  using Change = platform::Atomic<Time::rep>;
  static constexpr std::size_t kChanges = 65'536;

  Change& change_of(EntityKeyView key) { return changes_[std::hash<EntityKeyView>()(key) % kChanges]; }
  void log_once(platform::Atomic<bool>& logged, std::string_view what) noexcept;

  SharedCache* const cache_;
  const Log log_;
  std::vector<Change> changes_;
  platform::Atomic<bool> nonsense_logged_{false}, loss_logged_{false};
};

}  // namespace autoshard::detail
