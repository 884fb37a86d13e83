#include "write_entity.h"

#include <autoshard/errors.h>

#include <vector>

#include "before_hooks.h"
#include "check.h"
#include "conflict_notes.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "finish_erase.h"
#include "keys.h"
#include "main_record.h"
#include "parts.h"
#include "staged_writes.h"
#include "strategies.h"

namespace autoshard::detail {

void prefetch_mains(MapperContext& context, Transaction& transaction, const EntityType& type,
                    std::span<const EntityKey> keys) {
  if (!context.store.traits().prefetches) return;
  std::vector<std::string> records;
  for (const EntityKey& key : keys) records.push_back(main_key(key).bytes());
  records.push_back(indexes_key(type.kind));
  transaction.prefetch(records);
}

EntryLimits entry_limits(const CommitContext& context, Now now) {
  return {.now = now, .longest_key = context.store.traits().longest_key};
}

Written put_new_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity,
                       const std::optional<std::string>& stored, Now now) {
  AUTOSHARD_CHECK(*entity.version == 0, {"entity", entity.key}, {"version", *entity.version});
  if (stored && !is_tombstone(*stored)) {
    throw StaleEntity(describe(entity.key) + " exists already: load and change it, or choose another id");
  }
  const std::uint64_t version = first_version();
  StagedWrites writes;
  StagedWrites::Write& main = writes.put();
  main.key.set_main(entity.key);
  main.value = encode_main(entity.type, entity.entity, version, {});
  for (const ShardedPropertyType& property : entity.type.sharded) {
    const Strategy& strategy = strategy_of(property);
    const void* value = property.in_entity(entity.entity);
    if (!entity.is_copy) strategy.check_first(property, entity.key, value);
    strategy.put_first(entity.type, property, entity.key, value, now, writes);
  }
  const EntryLimits limits = entry_limits(context, now);
  if (const std::size_t longest = writes.longest_key(0);
      limits.longest_key != 0 && longest > limits.longest_key) {
    throw KeyTooLong(describe(entity.key) + " needs a key of " + std::to_string(longest) +
                     " bytes, and the store allows " + std::to_string(limits.longest_key) +
                     ": choose a shorter id");
  }
  const std::size_t of_indexes =
      context.indexes.put(transaction, entity.type, entity.key, nullptr, entity.entity, limits);
  if (stored) {
    delete_most_shards(context, entity.key);
    delete_shards(context.store, transaction, entity.key);
  }
  writes.write(0, transaction);
  put_expiry(transaction, entity, std::nullopt, limits);
  return {version, writes.bytes() + of_indexes};
}

Written put_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity, Now now) {
  const auto& [type, key, object, version, pending, before_hooks, is_copy] = entity;
  std::optional<std::string> record(std::in_place);
  if (!transaction.get(main_key(key), *record)) record.reset();
  if (*version == 0) return put_new_entity(context, transaction, entity, record, now);
  if (!record || is_gone(type, key, *record, now)) throw_not_found(key);
  const std::string& stored = *record;
  const StoredMain main = read_main(type, key, stored);
  if (!same_entity(main.version, *version)) throw_not_found(key);
  if (main.version != *version) {
    note_stale(context, entity, main, stored);
    throw_saved_since(key);
  }
  const std::string same = encode_main(type, object, main.version, main);
  if (same == stored) return {*version, 0};
  std::optional<std::string> as_read;
  if (!main.is_exact) as_read = as_saved(type, key, stored, main);
  if (same == as_read) return {*version, 0};
  const bool moves_end = before_hooks && type.expires_at && type.expires_at(object) != before_hooks->expiry;
  if (before_hooks && !moves_end && !is_neutral(type, pending)) {
    const std::string before = encode_main(type, *before_hooks, main.version, main);
    if (before == stored || before == as_read) {
      take_back(type, key, *before_hooks, object);
      return {*version, 0};
    }
  }
  const std::uint64_t next = next_version(main.version);
  AUTOSHARD_CHECK(next != main.version && same_entity(next, main.version), {"entity", key}, {"next", next});
  const std::string changed = encode_main(type, object, next, main);
  refuse_void_values(type, key, main, stored, changed);
  const EntryLimits limits = entry_limits(context, now);
  const std::size_t of_indexes = context.indexes.put(transaction, type, key, &stored, object, limits);
  transaction.put(main_key(key), changed);
  put_expiry(transaction, entity, main.expiry, limits);
  return {next, changed.size() + of_indexes};
}

void note_written(MapperContext& context, const EntityRef& entity, std::uint64_t version) {
  AUTOSHARD_CHECK(version != 0 && (*entity.version == 0 || same_entity(*entity.version, version)),
                  {"entity", entity.key}, {"before", *entity.version}, {"version", version});
  if (*entity.version == 0) {
    make_neutral(entity.type, entity.pending);  // the entity was created with these values
  } else {
    note_saved(context, entity.key);
  }
  *entity.version = version;
}

}  // namespace autoshard::detail
