#pragma once

#include <autoshard/detail/entity_type.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Entities as they were loaded, for reads that allow an age, until this mapper changes the entities.
/// Thread-safe.
///
/// A load announces its begin and its end. Its result is kept only if this mapper has not changed the entity
/// in between, because the load may have missed the change.
class ReadCache {
 public:
  using Clock = platform::Clock;

  /// The largest number of entities, besides those that are being loaded. If another one is added, one of the
  /// oldest is removed.
  static constexpr std::size_t kMost = 65'536;

  /// Returns the entity, an object of that class, if it was loaded at `since` or later; else null.
  std::shared_ptr<const void> read(const EntityType& type, EntityKeyView key, Clock::time_point since);

  void begin_load(EntityKeyView key);
  /// `entity`: the loaded entity, which the cache then owns; null if there is none.
  void end_load(const EntityType& type, EntityKeyView key, Clock::time_point began,
                std::shared_ptr<const void> entity);

  struct Reads {
    std::uint64_t hits = 0, misses = 0;
  };
  /// Returns how many calls of `read` have found an entity, and how many have not.
  Reads reads();

  /// Must be called after this mapper has changed the entity: drops the cached copy.
  void drop(EntityKeyView key);

 private:
  struct Entry {
    const EntityType* type = nullptr;    // two classes may have the same kind
    std::shared_ptr<const void> entity;  // null while it is loaded
    Clock::time_point loaded;
    std::size_t loads = 0;  // loads in progress
    bool changed = false;   // since the first of them began
  };
  using Entries = std::unordered_map<EntityKey, Entry, std::hash<EntityKey>, std::equal_to<>>;

  struct alignas(64) Stripe {
    Mutex mutex;
    Entries entries AUTOSHARD_GUARDED_BY(mutex);
    Reads reads AUTOSHARD_GUARDED_BY(mutex);
    std::size_t next AUTOSHARD_GUARDED_BY(mutex) = 0;  // the bucket from which an entry was last removed
    // The number of entries. Most mappers never have any; see `drop`.
    platform::Atomic<std::size_t> size{0};
  };

  /// The number of entities among which the oldest is removed.
  static constexpr std::size_t kLookedAt = 8;

  Stripe& stripe_of(EntityKeyView key) { return stripes_[std::hash<EntityKeyView>()(key) % stripes_.size()]; }
  void make_room(Stripe& stripe) AUTOSHARD_REQUIRES(stripe.mutex);
  static void erase(Stripe& stripe, Entries::iterator entry) AUTOSHARD_REQUIRES(stripe.mutex);

  std::array<Stripe, 16> stripes_;
};

}  // namespace autoshard::detail
