#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layout.h"

/// The main record of an entity, as runtime/FORMAT.md has it.
namespace autoshard::detail {

/// A version never seen before, for a new entity. Its upper half tells the entity from earlier and later ones
/// of the same id.
std::uint64_t first_version();
/// For a save: the lower half is another, drawn at random. Counting would repeat a version after a store has
/// lost its last commits, and an object that was saved before would pass for the record of today.
std::uint64_t next_version(std::uint64_t version);
bool same_entity(std::uint64_t version, std::uint64_t other);

/// Stands where the main record of an erased entity was, until its shards are gone.
std::string tombstone();
bool is_tombstone(std::string_view main_record);

/// When the entity expires, in milliseconds since 1970; none: never.
std::optional<std::int64_t> read_expiry(std::string_view key, std::string_view main_record);

/// Whether its time has come; always false in a class whose entities never expire.
inline bool has_expired(const EntityType& type, std::string_view key, std::string_view main_record, Now now) {
  if (!type.expires_at) return false;
  const std::optional<std::int64_t> expiry = read_expiry(key, main_record);
  return expiry && now.has_come(*expiry);
}

/// Whether there is no entity any more: it was erased, or its time has come.
inline bool is_gone(const EntityType& type, std::string_view key, std::string_view main_record, Now now) {
  return is_tombstone(main_record) || has_expired(type, key, main_record, now);
}

/// What a main record begins with. An update looks at no more of it, however large it is.
struct MainHead {
  std::uint64_t version = 0;
  std::vector<Layout> layouts;       ///< of the type's sharded properties, in their order
  bool has_unsharded_group = false;  ///< see `decode_main`
};
void read_head(const EntityType& type, std::string_view key, std::string_view record, MainHead& head);

/// The record with another layout of one property, under all names that the class knows it by.
std::string with_layout(const EntityType& type, std::string_view key, std::string_view record,
                        const ShardedPropertyType& property, const Layout& layout);

/// What a save keeps of the main record that it replaces; the expiry only if the class does not know of any.
/// An entry under a former name of a property that is not sharded is not kept: the save writes it under its
/// name of today.
struct StoredMain {
  std::uint64_t version = 0;
  std::optional<std::int64_t> expiry{};
  std::string layouts;      ///< as they are stored; empty where there are none
  std::size_t unknown = 0;  ///< entries of properties that the class does not have
  std::string unknown_entries;
  /// Whether other bytes of the class's properties are other values: they are all there, in its order and
  /// under its names, before any that it does not know, and none is an array or a map. Properties that had
  /// another type are not noticed.
  bool is_exact = false;
};
StoredMain read_main(const EntityType& type, std::string_view key, std::string_view record);

/// The names of the properties whose values are not the same in two main records: those of today, or, without
/// a type, as they are stored.
std::set<std::string> differing_properties(const EntityType* type, std::string_view key,
                                           std::string_view record, std::string_view other);

/// Throws `SchemaMismatch` if the save of `record` over `replaced` would change a property of the main record
/// whose value a class in which it is sharded has replaced: nothing would come of that. `stored`: what was
/// read of `replaced`.
void refuse_void_values(const EntityType& type, std::string_view key, const StoredMain& stored,
                        std::string_view replaced, std::string_view record);

std::uint64_t read_version(std::string_view key, std::string_view record);

std::string encode_main(const EntityType& type, const void* entity, std::uint64_t version,
                        const StoredMain& stored);
/// Of the entity as it was before the hooks ran.
std::string encode_main(const EntityType& type, const BeforeHooks& before, std::uint64_t version,
                        const StoredMain& stored);
/// What a save of the entity in the record would write if nothing had changed: other bytes than those of the
/// record if another version of the class wrote it. Nothing where the class says another time of expiry than
/// the record: then every save has to write.
std::optional<std::string> as_saved(const EntityType& type, std::string_view entity_key,
                                    std::string_view record, const StoredMain& stored);
/// Fills in the entity as it was before the hooks ran.
void take_back(const EntityType& type, std::string_view key, const BeforeHooks& before, void* entity);

/// Some of a class's properties: those of `only`, or all, but those of `except`.
struct Wanted {
  const std::vector<std::string_view>* only = nullptr;
  const std::vector<std::string_view>* except = nullptr;

  bool has(std::string_view name) const;
};

/// Fills in the entity, and folds in what a class without the sharding left of now sharded properties. Groups
/// are left out: their parts have an order, which KeptRecords follows. Where such a part of one is in the
/// record, `has_unsharded_group` is set in the result.
MainHead decode_main(const EntityType& type, std::string_view key, std::string_view record, void* entity,
                     const Wanted& wanted = {});

/// The record with those of the entity's properties of these names that it does not have; the others stay.
std::string with_members(const EntityType& type, std::string_view key, std::string_view record,
                         const std::vector<std::string_view>& names, const void* entity);

/// Folds what a class without the sharding left of a now sharded property into the value; false if there is
/// nothing.
bool fold_unsharded(const EntityType& type, const ShardedPropertyType& property, void* value,
                    std::string_view key, std::string_view record);

/// Whether such a class left something of a group.
bool has_unsharded_group(const EntityType& type, std::string_view key, std::string_view record);

/// The record without what such a class left of the property, under another version: a program of such a
/// class that has loaded the entity before would save what is removed here once more.
std::string without_unsharded(const EntityType& type, const ShardedPropertyType& property,
                              std::string_view key, std::string_view record);

}  // namespace autoshard::detail
