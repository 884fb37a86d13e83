#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// The entities in which reads or writes have noticed records to compact. Thread-safe.
class CompactableEntities {
 public:
  using Entities = std::map<EntityKey, const EntityType*, std::less<>>;  // by their keys

  /// The largest number of entities. Further ones are dropped, and noted when they are noticed again.
  static constexpr std::size_t kMost = 65'536;

  void note(const EntityType& type, EntityKeyView key) {
    const MutexLock lock(mutex_);
    if (!behind_since_) behind_since_ = platform::Clock::now();
    if (entities_.size() < kMost && entities_.find(key) == entities_.end()) entities_.emplace(key, &type);
  }

  struct Backlog {
    std::size_t entities = 0;
    std::optional<platform::Clock::time_point> since{};  ///< the first one after `take` has found none
  };
  Backlog backlog() {
    const MutexLock lock(mutex_);
    return {entities_.size(), behind_since_};
  }

  /// Returns all entities, and clears the list.
  Entities take() {
    const MutexLock lock(mutex_);
    if (entities_.empty()) behind_since_.reset();  // those taken before are compacted
    return std::exchange(entities_, {});
  }

 private:
  Mutex mutex_;
  Entities entities_ AUTOSHARD_GUARDED_BY(mutex_);
  std::optional<platform::Clock::time_point> behind_since_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::detail
