#pragma once

#include <autoshard/detail/entity_type.h>

#include <map>
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
    if (entities_.size() < kMost && entities_.find(key) == entities_.end()) entities_.emplace(key, &type);
  }

  /// Returns all entities, and clears the list.
  Entities take() {
    const MutexLock lock(mutex_);
    return std::exchange(entities_, {});
  }

 private:
  Mutex mutex_;
  Entities entities_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::detail
