#include "rollup.h"

#include <autoshard/codec.h>
#include <autoshard/detail/id.h>
#include <autoshard/errors.h>

#include <optional>

#include "check.h"
#include "index_keys.h"
#include "keys.h"
#include "main_record.h"

namespace autoshard::detail {
namespace {

/// Of the record that says which entry the entity has; empty where it is damaged, or there is none.
std::optional<std::string> part_of_entry(Transaction& transaction, const std::string& value_key) {
  std::string stored;
  if (!transaction.get(value_key, stored)) return std::nullopt;
  try {
    return std::string(Decoder(value_key, stored).text());
  } catch (const CorruptRecord&) {
    return std::nullopt;
  }
}

}  // namespace

std::string rollup_entry_key(const EntityType& type, const IndexType& index, std::string_view entity_key,
                             const void* entity) {
  std::string key = index_key(type, index) + kRollupEntry;
  index.append_key(key, entity);
  return key.append(id_in(entity_key));
}

std::string dirty_prefix(const EntityType& type, const IndexType& index) {
  return index_key(type, index) + kRollupDirty;
}

void make_dirty(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key) {
  transaction.put(dirty_prefix(type, index).append(id_in(entity_key)), kDirty);
}

void put_rollup(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key, const void* entity) {
  const std::string_view id = id_in(entity_key);
  const std::string records = index_key(type, index), entries = records + kRollupEntry;
  const std::string value_key = (records + kRollupValue).append(id);
  std::optional<std::string> gone, put;
  if (std::string stored; transaction.get(value_key, stored)) gone.emplace(Decoder(value_key, stored).text());
  if (entity) index.append_key(put.emplace(), entity);
  if (gone && gone != put) transaction.erase((entries + *gone).append(id));
  if (!put) return transaction.erase(value_key);
  std::string record;
  Encoder(record).nil();
  transaction.put((entries + *put).append(id), record);
  AUTOSHARD_CHECK(size_of_values(index, std::string(*put).append(id)) == put->size(), {"part", *put},
                  {"id", id});
  record.clear();
  Encoder(record).text(*put);
  AUTOSHARD_CHECK(Decoder(value_key, record).text() == *put, {"record", record}, {"part", *put});
  transaction.put(value_key, record);
}

void clean_rollup_record(Transaction& transaction, const EntityType& type, const IndexType& index,
                         const std::string& key) {
  const std::string records = index_key(type, index);
  const std::string_view behind = std::string_view(key).substr(records.size() + 1);
  std::string_view id = behind;
  std::optional<std::string> part;
  if (key[records.size()] == kRollupEntry) {
    try {
      id.remove_prefix(size_of_values(index, behind));
      part = behind.substr(0, behind.size() - id.size());
    } catch (const CorruptRecord&) {
      return transaction.erase(key);
    }
  }
  const std::string main = main_key(kind_key(type.kind).append(id));
  std::string stored;
  const bool is_there = transaction.get(main, stored) && !is_tombstone(stored);
  const std::optional<std::string> said = part_of_entry(transaction, (records + kRollupValue).append(id));
  const bool is_dirty_record = key[records.size()] == kRollupDirty;
  if (!is_there || (!is_dirty_record && (!said || (part && part != said)))) transaction.erase(key);
}

void erase_rollup_notes(Transaction& transaction, const EntityType& type, const IndexType& index,
                        std::string_view entity_key) {
  const std::string records = index_key(type, index);
  for (const char notes : {kRollupDirty, kRollupValue})
    transaction.erase((records + notes).append(id_in(entity_key)));
}

void put_rollups(Transaction& transaction, const EntityType& type, std::string_view entity_key,
                 const void* entity) {
  for (const IndexType& index : type.indexes) {
    if (!index.is_rollup()) continue;
    put_rollup(transaction, type, index, entity_key, entity);
    transaction.erase(dirty_prefix(type, index).append(id_in(entity_key)));
  }
}

}  // namespace autoshard::detail
