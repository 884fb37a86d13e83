#pragma once

#include <autoshard/detail/entity_key.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Main records as recently loaded or saved, of entities whose saves have met conflicts. A save in conflict
/// compares itself with the record that it began from, because it may have been about to write the same
/// values as another save. Bounded in number, size and time. Thread-safe. Costs very little while there are
/// no conflicts.
class RecentRecords {
 public:
  static constexpr std::size_t kMostEntities = 64;
  static constexpr std::size_t kMostVersions = 16;
  static constexpr std::size_t kLongestRecord = 8'192;
  /// The time after its last conflict when an entity is forgotten. It is removed when the next entity is
  /// noted or watched.
  static constexpr std::chrono::minutes kRemembered{10};

  using Clock = std::function<platform::Clock::time_point()>;

  explicit RecentRecords(Clock clock = platform::Clock::now) : clock_(std::move(clock)) {}

  /// Must be called after a conflict: from now on the entity's records are remembered.
  void watch(EntityKeyView entity_key);

  /// Remembers the record if the entity is watched.
  void note(EntityKeyView entity_key, std::uint64_t version, std::string_view record) {
    if (any_.load(std::memory_order_relaxed)) note_watched(entity_key, version, record);
  }

  /// Returns the record with this version, if it is remembered.
  std::optional<std::string> find(EntityKeyView entity_key, std::uint64_t version) const;

 private:
  struct Record {
    std::uint64_t version;
    std::string bytes;
  };
  struct Entity {
    std::uint64_t last_conflict = 0;  // by a count of conflicts
    platform::Clock::time_point conflict_at{};
    std::deque<Record> records{};  // the most recent record is last
  };

  void forget_old_ones() AUTOSHARD_REQUIRES(mutex_);
  void note_watched(EntityKeyView entity_key, std::uint64_t version, std::string_view record);

  const Clock clock_;
  platform::Atomic<bool> any_{false};
  mutable Mutex mutex_;
  std::map<EntityKey, Entity, std::less<>> entities_ AUTOSHARD_GUARDED_BY(mutex_);
  std::uint64_t conflicts_ AUTOSHARD_GUARDED_BY(mutex_) = 0;
  platform::Clock::time_point forgets_at_ AUTOSHARD_GUARDED_BY(mutex_) = platform::Clock::time_point::min();
};

}  // namespace autoshard::detail
