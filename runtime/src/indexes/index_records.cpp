#include "index_records.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "check.h"
#include "crc32.h"
#include "entity_scan.h"
#include "join.h"
#include "keys.h"
#include "main_record.h"
#include "rollup.h"

namespace autoshard::detail {
namespace {

struct Entry {
  std::string key, value;

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// For a check: what an entry's key has behind that of its index, or of one of its shards.
std::string_view behind_prefix(const IndexType& index, std::string_view entry_key, const EntityType& type) {
  return entry_key.substr(index_key(type, index).size() + (index.shards > 1 ? 2 : 0));
}

/// Of an entity in one of its indexes.
Entry entry(const EntityType& type, const IndexType& index, std::string_view entity_key, const void* entity) {
  std::string parts;
  index.append_key(parts, entity);
  index.append_order(parts, entity);
  Entry entry = {.key = index_key(type, index), .value = {}};
  if (index.shards > 1)
    append_shard_number(entry.key, static_cast<std::uint16_t>(crc32(parts) % index.shards));
  entry.key += parts;
  Encoder value(entry.value);
  if (index.is_unique) {
    value.text(id_in(entity_key));
  } else {
    entry.key += id_in(entity_key);
    value.nil();
  }
  AUTOSHARD_CHECK(entity_of_entry(type, index, entry.key, behind_prefix(index, entry.key, type),
                                  entry.value) == entity_key,
                  {"entry", entry.key}, {"entity", entity_key});
  return entry;
}

std::vector<std::string_view> indexed_names(const EntityType& type) {
  std::vector<std::string_view> names;
  for (const IndexType& index : type.indexes) {
    if (!index.is_rollup()) names.insert(names.end(), index.members.begin(), index.members.end());
  }
  return names;
}

/// What indexes ask for of the entity that a main record holds.
std::shared_ptr<void> indexed_members(const EntityType& type, const std::string& key,
                                      const std::string& stored) {
  const std::vector<std::string_view> names = indexed_names(type);
  std::shared_ptr<void> entity = type.make(key);
  decode_main(type, main_key(key), stored, entity.get(), {.only = &names});
  return entity;
}

/// Whether the entity of an entry is there, as the transaction sees it, and is one of that entry.
bool is_of_entity(Transaction& transaction, const EntityType& type, const IndexType& index,
                  const std::string& owner, const Entry& there, Now now) {
  const std::string main = main_key(owner);
  std::string stored;
  return transaction.get(main, stored) && !is_tombstone(stored) && !has_expired(type, main, stored, now) &&
         entry(type, index, owner, indexed_members(type, owner, stored).get()) == there;
}

/// Throws if the transaction sees that another entity has the entry of a unique index. One that has expired,
/// or was left by somebody, is nobody's.
void check_unique(Transaction& transaction, const EntityType& type, const IndexType& index,
                  std::string_view key, const Entry& entry, Now now) {
  Entry there = {.key = entry.key, .value = {}};
  if (!transaction.get(entry.key, there.value) || there == entry) return;
  const std::string owner = entity_of_entry(type, index, entry.key, {}, there.value);
  if (!is_of_entity(transaction, type, index, owner, there, now)) return;
  throw NotUnique("another " + describe(owner) + " has the " + join(index.members) + " of " + describe(key) +
                  ", of which index " + std::string(index.name) +
                  " allows one entity: choose another, or change that entity first");
}

/// Of a unique index that is not built yet, another entity may have the entry that this one never had.
void erase(Transaction& transaction, const IndexType& index, const Entry& entry) {
  std::string there;
  if (index.is_unique && (!transaction.get(entry.key, there) || there != entry.value)) return;
  transaction.erase(entry.key);
}

}  // namespace

void put_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                       const std::string* stored, const void* entity, const EntryLimits& limits) {
  if (!entity) put_rollups(transaction, type, key, nullptr);  // whatever the main record holds
  const bool has_others = std::ranges::any_of(type.indexes, std::not_fn(&IndexType::is_rollup));
  const std::shared_ptr<void> before = stored && has_others ? indexed_members(type, key, *stored) : nullptr;
  struct Change {
    const IndexType* index;
    std::optional<Entry> gone, put;
  };
  std::vector<Change> changes;
  for (const IndexType& index : type.indexes) {
    if (index.is_rollup()) {
      if (!stored) check_size(index, key, rollup_entry_key(type, index, key, entity), limits.longest_key);
      continue;
    }
    Change& change = changes.emplace_back(Change{&index, std::nullopt, std::nullopt});
    if (before) change.gone = entry(type, index, key, before.get());
    if (entity) change.put = entry(type, index, key, entity);
    // By somebody's later clock it may have expired, and its place be another's.
    const bool may_be_lost = index.is_unique && type.expires_at && change.put;
    if (change.gone == change.put && !may_be_lost) {
      changes.pop_back();
      continue;
    }
    if (!change.put) continue;
    check_size(index, key, change.put->key, limits.longest_key);
    if (index.is_unique) check_unique(transaction, type, index, key, *change.put, limits.now);
  }
  for (const Change& change : changes) {
    if (change.gone) erase(transaction, *change.index, *change.gone);
    if (change.put) transaction.put(change.put->key, change.put->value);
  }
  if (!stored) put_rollups(transaction, type, key, entity);
}

void restore_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                           const std::string& stored, const std::vector<const IndexType*>& indexes,
                           const EntryLimits& limits) {
  const std::string main = main_key(key);
  const bool is_gone = has_expired(type, main, stored, limits.now);
  const std::vector<std::string_view> names = indexed_names(type);
  const std::shared_ptr<void> entity = names.empty() ? nullptr : indexed_members(type, key, stored);
  for (const IndexType* index : indexes) {
    if (index->is_rollup()) {
      make_dirty(transaction, type, *index, key);
      continue;
    }
    const Entry missing = entry(type, *index, key, entity.get());
    check_size(*index, key, missing.key, limits.longest_key);
    if (index->is_unique && is_gone) continue;
    if (index->is_unique) check_unique(transaction, type, *index, key, missing, limits.now);
    transaction.put(missing.key, missing.value);
  }
  if (names.empty()) return;
  // From then on a load has what the entries say, whatever the defaults of the class are.
  const std::string complete = with_members(type, main, stored, names, entity.get());
  if (complete != stored) transaction.put(main, complete);
}

void clean_entry(Transaction& transaction, const EntityType& type, const IndexType& index,
                 const std::string& entry_key) {
  Entry there = {.key = entry_key, .value = {}};
  if (!transaction.get(entry_key, there.value)) return;
  const std::size_t prefix = index_prefixes(type, index).front().size();
  std::string owner;
  try {
    const std::string_view suffix = std::string_view(entry_key).substr(std::min(prefix, entry_key.size()));
    owner = entity_of_entry(type, index, entry_key, suffix, there.value);
  } catch (const CorruptRecord&) {
    return transaction.erase(entry_key);
  }
  if (!is_of_entity(transaction, type, index, owner, there, kBeforeAllTimes)) transaction.erase(entry_key);
}

}  // namespace autoshard::detail
