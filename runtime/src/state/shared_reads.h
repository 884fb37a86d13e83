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
/// How old they are, the cache tells, by forgetting them: loads that ask for another age have other keys.
/// What this mapper has changed itself it reads from the store, until whatever the cache may hold was read
/// after that. A value that took long to get into the cache is older than the cache knows: for that case
/// alone it says at what time of day it was read, and clocks of machines are compared.
class SharedReads {
 public:
  using Time = platform::Clock::time_point;
  using Day = std::chrono::system_clock::time_point;

  /// Now, by the clock of this process and by that of all.
  struct Moment {
    Time here = platform::Clock::now();
    Day everywhere = platform::SystemClock::now();
  };

  /// Clocks of machines may differ by so much.
  static constexpr std::chrono::seconds kTolerance{1};
  using Log = std::function<void(std::string_view)>;

  /// Without a cache it holds nothing. `cache` must outlive it.
  SharedReads(SharedCache* cache, Log log);

  /// Fills in the entity, as it was at most so long ago. After false, which is also the answer to nonsense,
  /// parts of it may be filled in.
  bool read(const EntityRef& entity, std::chrono::nanoseconds at_most, const Moment& now) noexcept;

  /// What a load gave that began at `began`; with the main record that it read.
  void put(const EntityRef& entity, std::string_view main_record, std::chrono::nanoseconds at_most,
           const Moment& began, Time now) noexcept;

  /// To be called after this mapper has changed the entity.
  void note_change(std::string_view key, Time now) noexcept;
  void note_change(std::string_view key) noexcept {
    if (cache_) note_change(key, platform::Clock::now());
  }

 private:
  /// When one of the entities was changed last whose keys have this hash, in some bits of it; 0: never.
  using Change = platform::Atomic<Time::rep>;
  static constexpr std::size_t kChanges = 65'536;

  Change& change_of(std::string_view key) { return changes_[std::hash<std::string_view>()(key) % kChanges]; }
  void log_once(platform::Atomic<bool>& logged, std::string_view what) noexcept;

  SharedCache* const cache_;
  const Log log_;
  std::vector<Change> changes_;
  platform::Atomic<bool> nonsense_logged_{false}, loss_logged_{false};
};

}  // namespace autoshard::detail
