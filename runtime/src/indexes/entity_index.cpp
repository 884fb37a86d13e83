#include "entity_index.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "check.h"
#include "crc32.h"
#include "index_kinds.h"
#include "join.h"
#include "keys.h"
#include "main_record.h"
#include "mutex.h"

namespace autoshard::detail {
namespace {

/// Identifies everything that determines the entries of an index, except how a sharded property is folded.
std::uint32_t definition(const IndexType& declared, std::string_view form) {
  std::string text;
  for (const std::string_view member : declared.members) append_text(text, member);
  append_integer(text, false, declared.key_members);
  append_integer(text, false, declared.shards);
  append_integer(text, false, declared.is_unique ? 1 : 0);
  return crc32(text.append(form));
}

EntityIndexes make_indexes(const EntityType& type) {
  EntityIndexes indexes;
  for (const IndexType& declared : type.indexes) {
    const std::span<const std::string_view> members =
        indexes.all.emplace_back(make_index(type, declared))->main_members();
    indexes.main_members.insert(indexes.main_members.end(), members.begin(), members.end());
  }
  return indexes;
}

/// Returns the indexed members of the entity in a main record; null if the class indexes no members of main
/// records.
std::shared_ptr<void> indexed_members(const EntityType& type, EntityKeyView key, const std::string& stored) {
  const std::vector<std::string_view>& members = indexes_of(type).main_members;
  if (members.empty()) return nullptr;
  std::shared_ptr<void> entity = type.make(key);
  decode_main(type, key, stored, entity.get(), {.only = &members});
  return entity;
}

}  // namespace

EntityIndex::EntityIndex(const EntityType& type, const IndexType& declared, std::string_view form)
    : type_(type),
      declared_(declared),
      key_(index_key(type.kind, declared.name, definition(declared, form))) {}

void EntityIndex::check_size(EntityKeyView entity_key, std::string_view entry_key, const EntryLimits& limits,
                             std::string_view element) const {
  if (limits.longest_key == 0 || entry_key.size() <= limits.longest_key) return;
  throw KeyTooLong("the entry of " + describe(entity_key) + " in index " + std::string(declared_.name) +
                   " needs a key of " + std::to_string(entry_key.size()) + " bytes, and the store allows " +
                   std::to_string(limits.longest_key) + ": choose a shorter " +
                   (element.empty()
                        ? join(declared_.members)
                        : "element of " + join(declared_.members) + " than " + describe_part(element)));
}

std::size_t EntityIndex::size_of_values(std::string_view suffix) const {
  std::string_view rest = suffix;
  for (std::size_t place = 0; place < declared_.members.size(); ++place) skip_part(rest);
  return suffix.size() - rest.size();
}

EntityKey EntityIndex::entity_of(std::string_view, std::string_view suffix, std::string_view) const {
  return entity_with_id(type_.kind, suffix.substr(size_of_values(suffix)));
}

std::shared_ptr<void> EntityIndex::read_members(Transaction& transaction, EntityKeyView entity_key,
                                                Now now) const {
  std::string stored;
  if (!get_main(transaction, type_, entity_key, now, stored)) return nullptr;
  const std::span<const std::string_view> span = main_members();
  const std::vector<std::string_view> members(span.begin(), span.end());
  std::shared_ptr<void> entity = type_.make(entity_key);
  decode_main(type_, entity_key, stored, entity.get(), {.only = &members});
  return entity;
}

void EntityIndex::erase_unread(Transaction&, EntityKeyView) const {}

void EntityIndex::append_update_reads(EntityKeyView, std::vector<std::string>&) const {}

bool EntityIndex::note_update(Transaction&, EntityKeyView, StagedWrites&, std::string&) const {
  return false;
}

std::vector<EntityKey> EntityIndex::dirty_entities(const Snapshot&) const { return {}; }

std::uint64_t EntityIndex::refresh(CommitContext&, Failures*, const std::function<bool()>&) const {
  return 0;
}

const EntityIndexes& indexes_of(const EntityType& type) {
  struct Known {
    SharedMutex mutex;
    std::unordered_map<const EntityType*, EntityIndexes> indexes AUTOSHARD_GUARDED_BY(mutex);
  };
  // Never destroyed, for mappers that outlive static objects.
  static Known& known = *new Known;
  static const EntityIndexes& none = *new EntityIndexes;
  if (type.indexes.empty()) return none;
  {
    const ReaderLock lock(known.mutex);
    if (const auto found = known.indexes.find(&type); found != known.indexes.end()) return found->second;
  }
  EntityIndexes indexes = make_indexes(type);
  const WriterLock lock(known.mutex);
  return known.indexes.try_emplace(&type, std::move(indexes)).first->second;
}

const EntityIndex& find_index(const EntityType& type, const IndexType& declared) {
  const auto& all = indexes_of(type).all;
  const auto found =
      std::ranges::find_if(all, [&](const auto& index) { return &index->declared() == &declared; });
  AUTOSHARD_CHECK(found != all.end(), {"kind", type.kind}, {"index", declared.name});
  return **found;
}

std::size_t put_index_records(Transaction& transaction, const EntityType& type, EntityKeyView key,
                              const std::string* stored, const void* entity, const EntryLimits& limits) {
  const std::shared_ptr<void> before = stored ? indexed_members(type, key, *stored) : nullptr;
  const EntityChange change = {
      .key = key, .before = before.get(), .after = entity, .is_new = stored == nullptr};
  StagedWrites writes;
  for (const auto& index : indexes_of(type).all) index->stage(transaction, change, limits, writes);
  writes.write(0, transaction);
  return writes.bytes();
}

void restore_index_records(Transaction& transaction, const EntityType& type, EntityKeyView key,
                           const std::string& stored, const std::vector<const EntityIndex*>& indexes,
                           const EntryLimits& limits) {
  const std::shared_ptr<void> entity = indexed_members(type, key, stored);
  const EntityChange change = {.key = key, .before = nullptr, .after = entity.get(), .is_new = false};
  const bool is_gone = has_expired(type, key, stored, limits.now);
  for (const EntityIndex* index : indexes) index->restore(transaction, change, is_gone, limits);
  if (!entity) return;
  // From now on a load returns the values in the entries, whatever the defaults of the class are.
  const std::string complete = with_members(type, key, stored, indexes_of(type).main_members, entity.get());
  if (complete != stored) transaction.put(main_key(key), complete);
}

}  // namespace autoshard::detail
