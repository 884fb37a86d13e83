#include "ranked_index.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>

#include "check.h"
#include "index_kinds.h"
#include "keys.h"
#include "main_record.h"
#include "ranked_refresh.h"
#include "shard_record.h"
#include "shard_value.h"

namespace autoshard::detail {
namespace {

/// Follows the index's key in the keys of its records. Do not change: stored.
constexpr char kDirty = '\x01', kPlace = '\x02', kEntry = '\x03';

/// Returns the value of an entity without updates: the record of a shard that had no update.
std::string neutral_of(const EntityType& type, std::string_view name) {
  const ShardedPropertyType& property = *std::ranges::find(type.sharded, name, &ShardedPropertyType::name);
  ShardValue shard;
  std::string record;
  encode_shard(record, property, property.in_shard(shard.make_neutral(type.shard)), 0);
  return record;
}

std::string form(const EntityType& type, std::string_view property) {
  std::string text;
  append_text(text, "rollup");  // do not change: stored
  append_text(text, neutral_of(type, property));
  for (const FormerName& former : type.former_names) {  // shards under these names count as well
    if (former.name == property) append_text(text, former.former);
  }
  return text;
}

}  // namespace

RankedIndex::RankedIndex(const EntityType& type, const IndexType& declared)
    : EntityIndex(type, declared, form(type, declared.members.front())),
      dirty_prefix_(key() + kDirty),
      entries_(key() + kEntry),
      places_(key() + kPlace) {}

/// Updates make an existing entity dirty when they change its value.
void RankedIndex::stage(Transaction& transaction, const EntityChange& change, const EntryLimits& limits,
                        StagedWrites& writes) const {
  if (change.after && !change.is_new) return;
  put_entry(transaction, change.key, change.after, limits, writes);
  writes.erase().key.set(dirty_prefix(), id_in(change.key));
}

void RankedIndex::append_update_reads(EntityKeyView entity_key, std::vector<std::string>& keys) const {
  keys.push_back(RecordKey(dirty_prefix(), id_in(entity_key)).bytes());
}

/// While the entity is dirty, updates only read the dirty record, so they do not conflict there.
bool RankedIndex::note_update(Transaction& transaction, EntityKeyView entity_key, StagedWrites& writes,
                              std::string& scratch) const {
  StagedWrites::Write& write = writes.put();
  write.key.set(dirty_prefix(), id_in(entity_key));
  if (transaction.get(write.key, scratch) && scratch == kDirtyByUpdate) {
    writes.shrink(writes.size() - 1);
    return false;
  }
  write.value = std::string(kDirtyByUpdate);
  return true;
}

void RankedIndex::restore(Transaction& transaction, const EntityChange& change, bool,
                          const EntryLimits&) const {
  transaction.put(RecordKey(dirty_prefix(), id_in(change.key)), kDirtyByUpdate);
}

/// A dirty record stays as long as its entity exists. An entry stays if the place record of its entity names
/// it.
void RankedIndex::clean(Transaction& transaction, std::string_view record_key) const {
  const std::string_view behind = record_key.substr(entries_.size());
  std::string_view id = behind;
  std::optional<std::string> part;
  if (record_key.starts_with(entries_)) {
    try {
      id.remove_prefix(size_of_values(behind));
      part = behind.substr(0, behind.size() - id.size());
    } catch (const CorruptRecord&) {
      return transaction.erase(record_key);
    }
  }
  std::string stored;
  const bool is_there =
      transaction.get(main_key(entity_with_id(type().kind, id)), stored) && !is_tombstone(stored);
  const std::optional<std::string> place = read_place(transaction, RecordKey(places_, id));
  const bool is_dirty = record_key.starts_with(dirty_prefix());
  if (!is_there || (!is_dirty && (!place || (part && part != place)))) transaction.erase(record_key);
}

/// Reads the place, so that this commit conflicts with a refresh that moves the entry.
void RankedIndex::erase_unread(Transaction& transaction, EntityKeyView entity_key) const {
  const std::string_view id = id_in(entity_key);
  const RecordKey place_key(places_, id);
  if (const std::optional<std::string> place = read_place(transaction, place_key))
    transaction.erase(RecordKey(entries_ + *place, id));
  transaction.erase(place_key);
  transaction.erase(RecordKey(dirty_prefix(), id));
}

std::vector<EntityKey> RankedIndex::dirty_entities(const Snapshot& snapshot) const {
  std::vector<EntityKey> entities;
  for (const auto cursor = snapshot.scan(dirty_prefix(), end_key(dirty_prefix())); cursor->valid();
       cursor->next())
    entities.push_back(entity_with_id(type().kind, cursor->key().substr(dirty_prefix().size())));
  return entities;
}

std::string RankedIndex::explain() const {
  return "dirty: also reads each " + std::string(type().kind) + " that was updated in about the last " +
         std::to_string(declared().staleness) +
         " s, and whose entry in the index is not refreshed yet; the answer is exact";
}

std::optional<std::chrono::seconds> RankedIndex::refresh_every() const {
  return std::chrono::seconds(declared().staleness);
}

std::uint64_t RankedIndex::refresh(CommitContext& context, Failures* failures,
                                   const std::function<bool()>& goes_on) const {
  return RankedRefresh(context, *this, failures).run(goes_on);
}

void RankedIndex::put_entry(Transaction& transaction, EntityKeyView entity_key, const void* entity,
                            const EntryLimits& limits, StagedWrites& writes) const {
  const std::string_view id = id_in(entity_key);
  const RecordKey place_key(places_, id);
  std::optional<std::string> gone, put;
  if (std::string stored; transaction.get(place_key, stored)) gone = Decoder(place_key, stored).text();
  if (entity) declared().append_key(put.emplace(), entity);
  if (put) check_size(entity_key, (entries_ + *put).append(id), limits);
  if (gone && gone != put) writes.erase().key.set(entries_ + *gone, id);
  if (!put) {
    writes.erase().key = place_key;
    return;
  }
  StagedWrites::Write& entry = writes.put();
  entry.key.set(entries_ + *put, id);
  entry.value.clear();
  Encoder(entry.value).nil();
  AUTOSHARD_CHECK(size_of_values(std::string(*put).append(id)) == put->size(), {"part", *put}, {"id", id});
  StagedWrites::Write& place = writes.put();
  place.key = place_key;
  place.value.clear();
  Encoder(place.value).text(*put);
  AUTOSHARD_CHECK(Decoder(place_key, place.value).text() == *put, {"record", place.value}, {"part", *put});
}

/// Reads the record that says which entry the entity has. Empty if the record is damaged or missing.
std::optional<std::string> RankedIndex::read_place(Transaction& transaction,
                                                   const RecordKey& place_key) const {
  std::string stored;
  if (!transaction.get(place_key, stored)) return std::nullopt;
  try {
    return std::string(Decoder(place_key, stored).text());
  } catch (const CorruptRecord&) {
    return std::nullopt;
  }
}

std::unique_ptr<const EntityIndex> make_ranked_index(const EntityType& type, const IndexType& declared) {
  return std::make_unique<RankedIndex>(type, declared);
}

}  // namespace autoshard::detail
