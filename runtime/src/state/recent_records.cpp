#include "recent_records.h"

#include <algorithm>

#include "check.h"

namespace autoshard::detail {

void RecentRecords::watch(EntityKeyView entity_key) {
  const MutexLock lock(mutex_);
  forget_old_ones();
  auto found = entities_.find(entity_key);
  if (found == entities_.end()) {
    if (entities_.size() == kMostEntities) {
      entities_.erase(std::ranges::min_element(
          entities_, {}, [](const auto& entity) { return entity.second.last_conflict; }));
    }
    found = entities_.emplace(entity_key, Entity()).first;
  }
  AUTOSHARD_CHECK(entities_.size() <= kMostEntities, {"entities", entities_.size()});
  found->second.last_conflict = ++conflicts_;
  found->second.conflict_at = clock_();
  any_.store(true, std::memory_order_relaxed);
}

/// If no entity is left, this is not called again until the next conflict.
void RecentRecords::forget_old_ones() {
  const platform::Clock::time_point now = clock_();
  if (now < forgets_at_) return;
  forgets_at_ = now + kRemembered;
  std::erase_if(entities_,
                [&](const auto& entity) { return entity.second.conflict_at + kRemembered <= now; });
  if (entities_.empty()) any_.store(false, std::memory_order_relaxed);
}

void RecentRecords::note_watched(EntityKeyView entity_key, std::uint64_t version, std::string_view record) {
  const MutexLock lock(mutex_);
  forget_old_ones();
  if (record.size() > kLongestRecord) return;
  const auto found = entities_.find(entity_key);
  if (found == entities_.end()) return;
  std::deque<Record>& records = found->second.records;
  if (std::ranges::find(records, version, &Record::version) != records.end()) return;
  if (records.size() == kMostVersions) records.pop_front();
  records.push_back({version, std::string(record)});
  AUTOSHARD_CHECK(records.size() <= kMostVersions, {"records", records.size()});
}

std::optional<std::string> RecentRecords::find(EntityKeyView entity_key, std::uint64_t version) const {
  const MutexLock lock(mutex_);
  const auto entity = entities_.find(entity_key);
  if (entity == entities_.end()) return std::nullopt;
  const auto record = std::ranges::find(entity->second.records, version, &Record::version);
  return record == entity->second.records.end() ? std::nullopt : std::optional(record->bytes);
}

}  // namespace autoshard::detail
