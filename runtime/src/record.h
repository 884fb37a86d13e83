#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// The values of records, as runtime/FORMAT.md has them.
namespace autoshard::detail {

/// A version never seen before, for a new entity. Its upper half tells the entity from earlier and later ones
/// of the same id; the lower half counts the saves.
std::uint64_t first_version();
std::uint64_t next_version(std::uint64_t version);
bool same_entity(std::uint64_t version, std::uint64_t other);

/// Stands where the main record of an erased entity was, until its shards are gone.
std::string tombstone();
bool is_tombstone(std::string_view main_record);

/// What a save keeps of the main record that it replaces. An entry under a former name of a property that is
/// not sharded is not kept: the save writes it under its name of today.
struct StoredMain {
  std::uint64_t version = 0;
  std::size_t unknown = 0;  ///< entries of properties that the class does not have
  std::string unknown_entries;
};
StoredMain read_main(const EntityType& type, std::string_view key, std::string_view record);

std::uint64_t read_version(std::string_view key, std::string_view record);

std::string encode_main(const EntityType& type, const void* entity, std::uint64_t version,
                        const StoredMain& stored);

/// Fills in the entity, and what a class without the sharding left of now sharded properties; returns the
/// version.
std::uint64_t decode_main(const EntityType& type, std::string_view key, std::string_view record,
                          void* entity);

/// The sharded property that has this name, or had it formerly; null if there is none.
const ShardedPropertyType* find_sharded(const EntityType& type, std::string_view name);

std::string encode_shard(const ShardedPropertyType& property, const void* value);

/// The value folded with that of a stored shard record.
std::string encode_shard(const ShardedPropertyType& property, const void* value, std::string_view key,
                         std::string_view record);

/// Folds a shard record into the value.
void fold_shard(const ShardedPropertyType& property, void* value, std::string_view key,
                std::string_view record);

}  // namespace autoshard::detail
