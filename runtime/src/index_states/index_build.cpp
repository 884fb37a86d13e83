#include "index_build.h"

#include <autoshard/errors.h>

#include <memory>

#include "check.h"
#include "entity_expiry.h"
#include "entity_scan.h"
#include "index_state_records.h"
#include "keys.h"
#include "main_record.h"
#include "room.h"

namespace autoshard::detail {
namespace {

/// Small enough that a transaction meets few conflicts and a snapshot is released soon.
constexpr std::size_t kBatch = 128;

}  // namespace

std::uint64_t IndexBuild::run() {
  if (!begin()) return 0;
  for (const EntityIndex* index : indexes_) clean(*index);
  const std::uint64_t entities = restore_all();
  for (const EntityIndex* index : indexes_) index->refresh(context_, nullptr, {});
  if (end()) return entities;
  throw IndexNotBuilt("the indexes of " + std::string(type_.kind) +
                      " are not complete: a program whose class lacks them has written meanwhile, or another "
                      "program has rebuilt them; end that program, and call admin::build_indexes again");
}

void IndexBuild::complete_without_entities() {
  if (!begin()) return;
  for (const EntityIndex* index : indexes_) clean(*index);
  if (!has_entities(*context_.store.snapshot(), type_)) end();
}

/// Marks the indexes as being built: from this commit on, no program writes unnoticed without maintaining
/// them. Returns false if all are complete.
bool IndexBuild::begin() {
  commit([&](Transaction& transaction) {
    indexes_.clear();
    bool is_new = !transaction.get(indexes_key(type_.kind), generation_);
    std::string state;
    for (const auto& index : indexes_of(type_).all) {
      const bool is_there = transaction.get(index->key(), state);
      if (is_there && reads_complete(index->key(), state)) continue;
      indexes_.push_back(index.get());
      if (is_there) continue;
      transaction.put(index->key(), encode_state(false));
      is_new = true;
    }
    if (is_new && !indexes_.empty()) generation_ = put_generation(transaction, type_);
    AUTOSHARD_CHECK(!is_new || indexes_.empty() || !generation_.empty(), {"kind", type_.kind});
  });
  return !indexes_.empty();
}

/// Removes entries that belong to no entity. Another version of the class that did not maintain the index may
/// have left them.
void IndexBuild::clean(const EntityIndex& index) {
  std::string begin = index.key() + '\0';
  const std::string end = end_key(index.key());
  for (;;) {
    Keys batch;
    {
      const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
      const std::unique_ptr<Cursor> cursor = snapshot->scan(begin, end);
      for (Room room(context_.store.traits(), kBatch); room.is_left() && cursor->valid(); cursor->next()) {
        batch.emplace_back(cursor->key());
        room.take(batch.back().size());
      }
    }
    if (batch.empty()) return;
    AUTOSHARD_CHECK(begin <= batch.back(), {"begin", begin}, {"last", batch.back()});
    clean_some(index, batch);
    begin = batch.back() + '\0';
  }
}

void IndexBuild::clean_some(const EntityIndex& index, std::span<const std::string> records) {
  commit_each(records,
              [&](Transaction& transaction, const std::string& record) { index.clean(transaction, record); });
}

/// Each batch has a snapshot of its own, so that none is held for long. An entity that is created later gets
/// its entries from its mapper.
std::uint64_t IndexBuild::restore_all() {
  std::uint64_t entities = 0;
  std::string begin = kind_key(type_.kind);
  const std::string end = end_key(begin);
  for (;;) {
    std::vector<EntityKey> batch;
    {
      const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
      EntityScan scan(*snapshot, type_, kBeforeAllTimes, begin, end);
      Room room(context_.store.traits(), kBatch);
      while (room.is_left() && scan.next()) {
        batch.push_back(scan.key());
        room.take(scan.main_size());
      }
    }
    if (batch.empty()) return entities;
    AUTOSHARD_CHECK(begin <= batch.back().bytes(), {"begin", begin}, {"last", batch.back()});
    restore(batch);
    entities += batch.size();
    begin = end_key(batch.back());
  }
}

/// Restores the entries of the entities that still exist.
void IndexBuild::restore(std::span<const EntityKey> entities) {
  const EntryLimits limits = {.now = ask_clock(context_.options, type_),
                              .longest_key = context_.store.traits().longest_key};
  commit_each(entities, [&](Transaction& transaction, EntityKeyView key) {
    std::string stored;
    if (transaction.get(main_key(key), stored) && !is_tombstone(stored))
      restore_index_records(transaction, type_, key, stored, indexes_, limits);
  });
}

/// Returns false if a mapper that does not maintain the indexes has removed their states. Such a mapper has
/// made another generation, and the indexes are incomplete again.
bool IndexBuild::end() {
  bool are_complete = true;
  commit([&](Transaction& transaction) {
    are_complete = true;
    std::string generation, state;
    const bool is_unchanged =
        transaction.get(indexes_key(type_.kind), generation) && generation == generation_;
    for (const EntityIndex* index : indexes_) {
      const std::string& key = index->key();
      const bool is_there = transaction.get(key, state);
      if (is_there && reads_complete(key, state)) continue;
      if (is_there && is_unchanged) {
        transaction.put(key, encode_state(true));
      } else {
        are_complete = false;
      }
    }
  });
  return are_complete;
}

void IndexBuild::forget() {
  commit([&](Transaction& transaction) {
    for (const auto& index : indexes_of(type_).all) transaction.erase(index->key());
    put_generation(transaction, type_);
  });
}

void IndexBuild::remove_others() {
  const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
  for (const std::string& other : other_indexes(*snapshot, type_)) {
    const std::unique_ptr<Cursor> cursor = snapshot->scan(other, end_key(other));
    for (bool is_given_up = true; is_given_up && cursor->valid();) {
      Keys batch;
      for (Room room(context_.store.traits(), kBatch); room.is_left() && cursor->valid(); cursor->next()) {
        batch.emplace_back(cursor->key());
        room.take(batch.back().size());
      }
      commit_each(std::span<const std::string>(batch), [&](Transaction& transaction, const std::string& key) {
        std::string state;
        // A program that has the index may have begun to build it.
        is_given_up = key == other || !transaction.get(other, state);
        if (is_given_up) transaction.erase(key);
        if (key == other) put_generation(transaction, type_);
      });
    }
  }
}

}  // namespace autoshard::detail
