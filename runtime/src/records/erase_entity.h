#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "context.h"

/// How entities are erased. Two rules keep an update from being counted by a later entity of the same id:
/// - Whoever writes a shard reads the main record in the same transaction, so that the commit fails if the
///   entity was erased, or is another, by then.
/// - Erasing replaces the main record by a tombstone first. Once a transaction sees it, no shard can be
///   written any more; only then are they looked for and removed, and the tombstone with them. Where that was
///   cut short, the next one who sees the tombstone completes it: see remains.h.
namespace autoshard::detail {

/// Puts a tombstone in the place of the entity, and erases what leads to it. Returns false if there is no
/// entity. With a version: returns false also if the entity was saved since, and erases one that has expired.
bool put_tombstone(MapperContext& context, Transaction& transaction, const EntityType& type,
                   const std::string& key, std::uint64_t version, Now now);

/// Whether this main record is that of an entity, even if it is damaged.
bool can_be_erased(const EntityType& type, std::string_view key, std::string_view main_record, Now now);

/// Erases the records of indexes and of expiry that lead to the entity with this main record.
void erase_references(MapperContext& context, Transaction& transaction, const EntityType& type,
                      const std::string& key, const std::string& main_record, Now now);

/// Removes what is left behind tombstones: their shards and they themselves. What cannot be removed now is
/// left for compaction, and logged.
void clear_remains(MapperContext& context, const std::string& key);
void clear_remains(MapperContext& context, std::span<const std::string> keys);

/// Erases the entity; false if there is none. With a version: as `put_tombstone`.
bool erase_entity(MapperContext& context, const EntityType& type, const std::string& key,
                  std::uint64_t version, Now now);

/// Erases the entities in one commit. Returns how many there were; nothing if one commit cannot do that.
std::optional<std::uint64_t> erase_together(MapperContext& context, const EntityType& type,
                                            std::span<const std::string> keys, Now now);

/// Removes an entity whose time has come, so that another one of its id can be created.
void remove_if_expired(MapperContext& context, const EntityType& type, const std::string& key, Now now);

}  // namespace autoshard::detail
