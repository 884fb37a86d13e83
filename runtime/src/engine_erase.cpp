/// How entities are erased: see the rules of class Engine.

#include <autoshard/errors.h>

#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine.h"
#include "forgetting.h"
#include "index_records.h"
#include "keys.h"
#include "record.h"
#include "remains.h"
#include "rollup.h"

namespace autoshard::detail {
namespace {

bool leads_to(const EntityType& type, const IndexType& index, const std::string& key, const Cursor& cursor,
              std::size_t prefix) {
  if (cursor.key().size() == prefix) return false;  // the record of the index's state
  try {
    return entity_of_entry(type, index, cursor.key(), cursor.key().substr(prefix), cursor.value()) == key;
  } catch (const CorruptRecord&) {
    return false;
  }
}

/// Looks through all indexes of the kind, and all that expire.
void erase_whatever_leads_to(Transaction& transaction, const Snapshot& snapshot, const EntityType& type,
                             const std::string& key) {
  for (const IndexType& index : type.indexes) {
    if (index.is_rollup()) erase_rollup_notes(transaction, type, index, key);
    for (const std::string& prefix : index_prefixes(type, index)) {
      for (const std::unique_ptr<Cursor> cursor = snapshot.scan(prefix, end_key(prefix)); cursor->valid();
           cursor->next()) {
        if (leads_to(type, index, key, *cursor, prefix.size())) transaction.erase(cursor->key());
      }
    }
  }
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (const std::unique_ptr<Cursor> cursor =
           snapshot.scan(begin_of_expiries(type.kind, 0), begin_of_expiries(type.kind, kLast));
       cursor->valid(); cursor->next()) {
    const std::optional<ExpiryKey> expiry = read_expiry_key(type.kind, cursor->key());
    if (expiry && expiry->entity_key == key) transaction.erase(cursor->key());
  }
}

}  // namespace

bool Engine::erase(const EntityType& type, const std::string& key, std::uint64_t version) {
  settle_updates(key);
  return erase(type, key, version, now(type));
}

bool Engine::erase(const EntityType& type, const std::string& key, std::uint64_t version, Now now) {
  const Forgetting forgetting(context_, key);
  Attempts attempts = this->attempts("erasing", key);
  for (;;) {
    const std::unique_ptr<Transaction> transaction = begin();
    if (!bury(*transaction, type, key, version, now)) return false;
    if (attempts.commit(*transaction)) break;
  }
  clear_or_log(key);
  return true;
}

/// Puts a tombstone in the place of the entity; false if there is none, or it was saved since that version.
/// With a version, also of one that has expired.
bool Engine::bury(Transaction& transaction, const EntityType& type, const std::string& key,
                  std::uint64_t version, Now now) {
  std::string stored;
  if (!transaction.get(main_key(key), stored)) return false;
  if (is_tombstone(stored)) {
    remove_remains(context_, key);
    return false;
  }
  if (version == 0 ? !can_be_erased(type, key, stored, now) : read_version(main_key(key), stored) != version)
    return false;
  erase_references(transaction, type, key, stored, now);
  transaction.put(main_key(key), tombstone());
  return true;
}

bool Engine::can_be_erased(const EntityType& type, std::string_view key, std::string_view main_record,
                           Now now) const {
  try {
    return !is_gone(type, key, main_record, now);
  } catch (const CorruptRecord&) {
    return true;
  }
}

void Engine::erase_references(Transaction& transaction, const EntityType& type, const std::string& key,
                              const std::string& main_record, Now now) {
  try {
    erase_expiry(transaction, type, key, main_record);
    put_indexes(transaction, type, key, &main_record, nullptr, now);
  } catch (const CorruptRecord& error) {
    log(describe(key) +
        " is erased though its main record is damaged, which does not tell what leads to it: " +
        "looking through its kind for that; " + error.what());
    erase_whatever_leads_to(transaction, *context_.store.snapshot(), type, key);
  }
}

void Engine::clear_or_log(const std::string& key) {
  try {
    remove_remains(context_, key);
    outage_is_logged_ = false;
  } catch (const std::exception& error) {
    log_failure(describe(key) + " is erased, but its shards are left for compaction, or a later erase or " +
                    "save, to remove",
                error);
  }
}

/// Of erased entities, what is left, if that can be done now.
void Engine::clear_all(std::span<const std::string> keys) {
  try {
    if (clear_together(keys)) return;
  } catch (const std::exception&) {
    // Then one after the other.
  }
  for (const std::string& key : keys) clear_or_log(key);
}

/// In transactions of two batches of them at most. False after a conflict.
bool Engine::clear_together(std::span<const std::string> keys) {
  std::unique_ptr<Transaction> transaction;
  std::size_t erased = 0;
  for (const std::string& key : keys) {
    thin_remains(context_, key);
    if (!transaction) transaction = begin();
    if (!is_buried(*transaction, key)) continue;
    erased += 1 + erase_remains(context_.store, *transaction, key);
    transaction->erase(main_key(key));
    if (erased < kRemainsAtOnce) continue;
    if (!commit_once(*transaction, "erasing several entities")) return false;
    transaction.reset();
    erased = 0;
  }
  return erased == 0 || commit_once(*transaction, "erasing several entities");
}

}  // namespace autoshard::detail
