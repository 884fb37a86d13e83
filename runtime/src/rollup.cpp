#include "rollup.h"

#include <autoshard/codec.h>
#include <autoshard/detail/id.h>
#include <autoshard/errors.h>

#include <optional>

#include "index_records.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// What follows the index's key in those of its records; without, it is that of its state.
constexpr char kDirtyRecord = '\x01', kValueRecord = '\x02', kEntryRecord = '\x03';

}  // namespace

std::string rollup_entries_key(const EntityType& type, const IndexType& index) {
  return index_key(type, index) + kEntryRecord;
}

std::string rollup_entry_key(const EntityType& type, const IndexType& index, std::string_view entity_key,
                             const void* entity) {
  std::string key = rollup_entries_key(type, index);
  index.append_key(key, entity);
  return key.append(id_in(entity_key));
}

std::string dirty_prefix(const EntityType& type, const IndexType& index) {
  return index_key(type, index) + kDirtyRecord;
}

void make_dirty(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key) {
  transaction.put(dirty_prefix(type, index).append(id_in(entity_key)), kDirty);
}

void put_rollup(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key, const void* entity) {
  const std::string_view id = id_in(entity_key);
  const std::string records = index_key(type, index), entries = records + kEntryRecord;
  const std::string value_key = (records + kValueRecord).append(id);
  std::optional<std::string> gone, put;
  if (std::string stored; transaction.get(value_key, stored)) gone.emplace(Decoder(value_key, stored).text());
  if (entity) index.append_key(put.emplace(), entity);
  if (gone && gone != put) transaction.erase((entries + *gone).append(id));
  if (!put) return transaction.erase(value_key);
  std::string record;
  Encoder(record).nil();
  transaction.put((entries + *put).append(id), record);
  record.clear();
  Encoder(record).text(*put);
  transaction.put(value_key, record);
}

void erase_rollup_record(Transaction& transaction, const EntityType& type, const IndexType& index,
                         std::string_view key) {
  const std::string values = index_key(type, index) + kValueRecord;
  if (std::string stored; key.starts_with(values) && transaction.get(key, stored)) {
    const std::string_view id = key.substr(values.size());
    try {
      transaction.erase(
          (rollup_entries_key(type, index) + std::string(Decoder(key, stored).text())).append(id));
    } catch (const CorruptRecord&) {
      // Its entry is one of those that are removed for themselves.
    }
  }
  transaction.erase(key);
}

void erase_rollup_notes(Transaction& transaction, const EntityType& type, const IndexType& index,
                        std::string_view entity_key) {
  const std::string records = index_key(type, index);
  for (const char notes : {kDirtyRecord, kValueRecord})
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
