#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Counts the records of each entity that compaction has removed since the last `Store::reclaim` for the
/// entity. Thread-safe.
class Removals {
 public:
  /// The number of removals that makes `Store::reclaim` worthwhile: a load that steps over that many removed
  /// records takes milliseconds longer.
  static constexpr std::uint64_t kWorthReclaiming = 16'384;
  /// The limit of counted entities. Beyond it all counts are dropped: none of them is high.
  static constexpr std::size_t kMost = 65'536;

  /// Returns true if the count reaches `kWorthReclaiming`; the count then restarts.
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
