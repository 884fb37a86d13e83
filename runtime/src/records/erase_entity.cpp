#include "erase_entity.h"

#include <autoshard/errors.h>

#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "entity_expiry.h"
#include "entity_index.h"
#include "finish_erase.h"
#include "keys.h"
#include "main_record.h"
#include "write_entity.h"

namespace autoshard::detail {
namespace {

constexpr std::string_view kErasingSeveral = "erasing several entities";

bool leads_to(const EntityIndex& index, EntityKeyView key, const Cursor& cursor, std::size_t prefix) {
  if (cursor.key().size() == prefix) return false;  // the record of the index's state
  try {
    return index.entity_of(cursor.key(), cursor.key().substr(prefix), cursor.value()) == key;
  } catch (const CorruptRecord&) {
    return false;
  }
}

/// Visits all records of the kind's indexes and all expiry records.
void erase_all_that_leads_to(Transaction& transaction, const Snapshot& snapshot, const EntityType& type,
                             EntityKeyView key) {
  for (const auto& index : indexes_of(type).all) {
    index->erase_unread(transaction, key);
    for (const std::string& prefix : index->entry_prefixes()) {
      for (const std::unique_ptr<Cursor> cursor = snapshot.scan(prefix, end_key(prefix)); cursor->valid();
           cursor->next()) {
        if (leads_to(*index, key, *cursor, prefix.size())) transaction.erase(cursor->key());
      }
    }
  }
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (const std::unique_ptr<Cursor> cursor =
           snapshot.scan(begin_of_expiries(type.kind, 0), begin_of_expiries(type.kind, kLast));
       cursor->valid(); cursor->next()) {
    const std::optional<ExpiryKey> expiry = read_expiry_key(type.kind, cursor->key());
    if (expiry && expiry->entity == key) transaction.erase(cursor->key());
  }
}

/// Deletes the records of erased entities in transactions of at most two batches. Returns false after a
/// conflict.
bool try_to_finish_erases_together(MapperContext& context, std::span<const EntityKey> keys) {
  std::unique_ptr<Transaction> transaction;
  std::size_t erased = 0;
  for (const EntityKey& key : keys) {
    delete_most_shards(context, key);
    if (!transaction) transaction = context.store.begin();
    if (!has_tombstone(*transaction, key)) continue;
    erased += 1 + delete_shards(context.store, *transaction, key);
    transaction->erase(main_key(key));
    if (erased < kErasedAtOnce) continue;
    if (!commit_once(context, *transaction, kErasingSeveral)) return false;
    transaction.reset();
    erased = 0;
  }
  return erased == 0 || commit_once(context, *transaction, kErasingSeveral);
}

}  // namespace

bool put_tombstone(MapperContext& context, Transaction& transaction, const EntityType& type,
                   EntityKeyView key, std::uint64_t version, Now now) {
  std::string stored;
  if (!transaction.get(main_key(key), stored)) return false;
  if (is_tombstone(stored)) {
    finish_erase(context, key);
    return false;
  }
  if (version == 0 ? !can_be_erased(type, key, stored, now) : read_version(key, stored) != version)
    return false;
  erase_references(context, transaction, type, key, stored, now);
  transaction.put(main_key(key), tombstone());
  return true;
}

bool can_be_erased(const EntityType& type, EntityKeyView key, std::string_view main_record, Now now) {
  try {
    return !is_gone(type, key, main_record, now);
  } catch (const CorruptRecord&) {
    return true;
  }
}

void erase_references(MapperContext& context, Transaction& transaction, const EntityType& type,
                      EntityKeyView key, const std::string& main_record, Now now) {
  try {
    erase_expiry(transaction, type, key, main_record);
    context.indexes.put(transaction, type, key, &main_record, nullptr, entry_limits(context, now));
  } catch (const CorruptRecord& error) {
    context.log(describe(key) +
                " has a damaged main record and is erased: all index entries of its kind are searched for "
                "those of the entity; " +
                error.what());
    erase_all_that_leads_to(transaction, *context.store.snapshot(), type, key);
  }
}

void try_to_finish_erase(MapperContext& context, EntityKeyView key) {
  try {
    finish_erase(context, key);
    context.outages.note_success();
  } catch (const std::exception& error) {
    context.outages.log(describe(key) +
                            " is erased, but its shards are not removed yet; compaction, or a later erase or "
                            "save, removes them",
                        error);
  }
}

void try_to_finish_erase(MapperContext& context, std::span<const EntityKey> keys) {
  try {
    if (try_to_finish_erases_together(context, keys)) return;
  } catch (const std::exception&) {
    // The loop below finishes them one after the other.
  }
  for (const EntityKey& key : keys) try_to_finish_erase(context, key);
}

bool erase_entity(MapperContext& context, const EntityType& type, EntityKeyView key, std::uint64_t version,
                  Now now) {
  const InvalidateOnExit invalidation(context, key);
  const bool is_erased = commit_retried(context, "erasing", key, [&](Transaction& transaction) {
    return put_tombstone(context, transaction, type, key, version, now);
  });
  if (is_erased) try_to_finish_erase(context, key);
  return is_erased;
}

std::optional<std::uint64_t> erase_together(MapperContext& context, const EntityType& type,
                                            std::span<const EntityKey> keys, Now now) {
  AUTOSHARD_CHECK(!keys.empty());
  if (keys.size() == 1) return erase_entity(context, type, keys.front(), 0, now) ? 1 : 0;
  std::deque<InvalidateOnExit> invalidation;
  for (const EntityKey& key : keys) invalidation.emplace_back(context, key);
  std::vector<EntityKey> erased;
  const std::unique_ptr<Transaction> transaction = context.store.begin();
  prefetch_mains(context, *transaction, type, keys);
  for (const EntityKey& key : keys) {
    if (put_tombstone(context, *transaction, type, key, 0, now)) erased.emplace_back(key);
  }
  if (erased.empty()) return 0;
  if (!commit_once(context, *transaction, kErasingSeveral)) return std::nullopt;
  try_to_finish_erase(context, erased);
  return erased.size();
}

void remove_if_expired(MapperContext& context, const EntityType& type, EntityKeyView key, Now now) {
  if (!type.expires_at) return;
  std::string record;
  // Another program may save the entity meanwhile; its saved state has then expired too.
  while (context.store.begin()->get(main_key(key), record) && !is_tombstone(record) &&
         has_expired(type, key, record, now))
    erase_entity(context, type, key, read_version(key, record), now);
}

}  // namespace autoshard::detail
