#include "index_states.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "index_build.h"
#include "index_state_records.h"
#include "keys.h"

namespace autoshard::detail {

bool IndexStates::note_write(Transaction& transaction, const EntityType& type) {
  std::optional<std::string> known = prepared(type);
  if (!known) known = prepare(type);
  const std::string now = read_generation(transaction, type);
  // If `prepare` makes another generation, the transaction has read the earlier one, and will conflict.
  if (now != *known) prepare(type);
  // Once the record exists, stores can validate it for any number of concurrent commits.
  if (now.empty()) put_generation(transaction, type);
  return now == *known && !now.empty();
}

std::size_t IndexStates::put(Transaction& transaction, const EntityType& type, EntityKeyView key,
                             const std::string* stored, const void* entity, const EntryLimits& limits) {
  note_write(transaction, type);
  return put_index_records(transaction, type, key, stored, entity, limits);
}

void IndexStates::note_update(const EntityType& type) {
  if (are_read_by_updates()) return;  // the transaction checks
  const auto place = reinterpret_cast<std::uintptr_t>(&type) / alignof(std::max_align_t);
  platform::Atomic<const EntityType*>& recent = recently_updated_[place % recently_updated_.size()];
  if (recent.load(std::memory_order_acquire) == &type) return;
  const auto is_noted = [&] {
    const MutexLock lock(mutex_);
    return updated_.contains(&type);
  };
  if (!is_noted()) {
    give_up_others(type);
    const MutexLock lock(mutex_);
    updated_.insert(&type);
  }
  recent.store(&type, std::memory_order_release);
}

void IndexStates::note_move(Transaction& transaction, const EntityType& type) {
  if (type.former_names.empty()) return;
  if (are_read_by_updates()) {
    note_write(transaction, type);
  } else {
    note_update(type);
  }
}

std::optional<std::string> IndexStates::prepared(const EntityType& type) {
  const MutexLock lock(mutex_);
  const auto found = prepared_.find(&type);
  return found == prepared_.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the generation in which no work is left.
std::string IndexStates::prepare(const EntityType& type) {
  for (;;) {
    std::string generation = give_up_others(type);
    if (!type.indexes.empty()) {
      const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
      if (read_generation(*snapshot, type) != generation) continue;
      if (has_incomplete(*snapshot, type) && !has_entities(*snapshot, type)) {
        IndexBuild(context_, type).complete_without_entities();
        continue;
      }
    }
    const MutexLock lock(mutex_);
    return prepared_[&type] = std::move(generation);
  }
}

/// Removes the states of indexes that the class does not have, because the class's writes will be missing in
/// them. Returns the generation without such indexes.
std::string IndexStates::give_up_others(const EntityType& type) {
  for (;;) {
    const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
    std::vector<std::string> states = other_indexes(*snapshot, type);
    std::string state;
    std::erase_if(states, [&](const std::string& key) { return !snapshot->get(key, state); });
    if (states.empty()) return read_generation(*snapshot, type);
    commit_work(context_, type, [&](Transaction& transaction) {
      for (const std::string& key : states) transaction.erase(key);
      put_generation(transaction, type);
    });
    context_.log("this program does not maintain the indexes of " + std::string(type.kind) +
                 " that only another version of the class has, and they are incomplete now, so "
                 "queries of that version scan: when all programs have one version, call "
                 "admin::build_indexes in one of them");
  }
}

}  // namespace autoshard::detail
