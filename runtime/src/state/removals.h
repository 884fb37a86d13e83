#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// How many records compaction has removed of which entity since the store last tidied up there. Thread-safe.
class Removals {
 public:
  /// So many of one entity are worth `Store::reclaim`: a load that goes past them takes milliseconds longer.
  static constexpr std::uint64_t kWorthReclaiming = 16'384;
  /// Counts of more entities are forgotten: none of them has many.
  static constexpr std::size_t kMost = 65'536;

  /// Whether there are so many now; the count begins anew then.
  bool add(std::string_view key, std::uint64_t removed) {
    if (removed == 0) return false;
    const MutexLock lock(mutex_);
    if (removed_.size() >= kMost && removed_.find(key) == removed_.end()) removed_.clear();
    const auto entity = removed_.try_emplace(std::string(key), 0).first;
    entity->second += removed;
    if (entity->second < kWorthReclaiming) return false;
    removed_.erase(entity);
    return true;
  }

 private:
  Mutex mutex_;
  /// By the keys of entities.
  std::map<std::string, std::uint64_t, std::less<>> removed_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::detail
