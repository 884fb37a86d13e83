#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "context.h"

/// How entities are erased. Two rules keep a later entity of the same id from counting an earlier update:
/// - A writer of a shard reads the main record in the same transaction. So the commit fails if the entity was
///   erased or replaced by then.
/// - An erase first replaces the main record by a tombstone. Once a transaction sees the tombstone, no shard
///   can be written any more. Only then are the shards looked for and removed, together with the tombstone.
///   If that is interrupted, the next reader of the tombstone completes it: see finish_erase.h.
namespace autoshard::detail {

/// Replaces the entity by a tombstone, and erases the records that lead to it. Returns false if there is no
/// entity. With a version: also returns false if the entity was saved since, and also erases an entity that
/// has expired.
bool put_tombstone(MapperContext& context, Transaction& transaction, const EntityType& type,
                   EntityKeyView key, std::uint64_t version, Now now);

/// Returns whether this main record belongs to an entity, even if it is damaged.
bool can_be_erased(const EntityType& type, EntityKeyView key, std::string_view main_record, Now now);

/// Erases the records of indexes and of expiry that lead to the entity with this main record.
void erase_references(MapperContext& context, Transaction& transaction, const EntityType& type,
                      EntityKeyView key, const std::string& main_record, Now now);

/// Removes the remains of erased entities: their shards and tombstones. Remains that cannot be removed now
/// are logged and left for compaction.
void try_to_finish_erase(MapperContext& context, EntityKeyView key);
void try_to_finish_erase(MapperContext& context, std::span<const EntityKey> keys);

/// Erases the entity; returns false if there is none. With a version: as `put_tombstone`.
bool erase_entity(MapperContext& context, const EntityType& type, EntityKeyView key, std::uint64_t version,
                  Now now);

/// Erases the entities in one commit. Returns the number of existing ones; empty if one commit cannot do it.
std::optional<std::uint64_t> erase_together(MapperContext& context, const EntityType& type,
                                            std::span<const EntityKey> keys, Now now);

/// Removes an entity that has expired, so that another one of its id can be created.
void remove_if_expired(MapperContext& context, const EntityType& type, EntityKeyView key, Now now);

}  // namespace autoshard::detail
