#pragma once

#include <autoshard/detail/entity_type.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Entities as they were loaded, for reads that may be of a while ago, until this mapper itself changes them.
/// Thread-safe.
///
/// A load says when it begins and when it ends: what it gave is kept only if this mapper has changed nothing
/// of that entity meanwhile, for nobody knows whether the load has seen it.
class ReadCache {
 public:
  using Clock = platform::Clock;

  /// Entities that are kept at most, besides those that are being loaded; one of the oldest goes when there
  /// is to be another.
  static constexpr std::size_t kMost = 65'536;

  /// The entity, an object of that class, if there is one that was loaded at `since` or later; else null.
  std::shared_ptr<const void> read(const EntityType& type, std::string_view key, Clock::time_point since);

  void begin_load(std::string_view key);
  /// `entity`: what was loaded, the cache's from now on; null if there is none.
  void end_load(const EntityType& type, std::string_view key, Clock::time_point began,
                std::shared_ptr<const void> entity);

  /// This mapper has changed the entity: what was loaded before is worth nothing any more.
  void drop(std::string_view key);

 private:
  struct Entry {
    const EntityType* type = nullptr;    // two classes may be of one kind
    std::shared_ptr<const void> entity;  // null while it is loaded
    Clock::time_point loaded;
    std::size_t loads = 0;  // that are under way
    bool changed = false;   // since the first of them began
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  struct alignas(64) Stripe {
    Mutex mutex;
    Entries entries AUTOSHARD_GUARDED_BY(mutex);
    std::size_t next AUTOSHARD_GUARDED_BY(mutex) = 0;  // the bucket that room was made in last
    platform::Atomic<std::size_t> size{0};  // of the entries: most mappers never have any; see `drop`
  };

  /// So many entities are looked at when one has to go.
  static constexpr std::size_t kLookedAt = 8;

  Stripe& stripe_of(std::string_view key) { return stripes_[Hash()(key) % stripes_.size()]; }
  void make_room(Stripe& stripe) AUTOSHARD_REQUIRES(stripe.mutex);
  static void erase(Stripe& stripe, Entries::iterator entry) AUTOSHARD_REQUIRES(stripe.mutex);

  std::array<Stripe, 16> stripes_;
};

}  // namespace autoshard::detail
