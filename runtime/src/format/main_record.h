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

#include "keys.h"
#include "layout.h"

/// The main record of an entity, as defined in runtime/FORMAT.md.
namespace autoshard::detail {

/// Returns a version for a new entity. Its upper half is random, and tells the entity from earlier and later
/// ones of the same id.
std::uint64_t first_version();
/// Returns the version for a save: the lower half is changed at random. A counter would repeat a version
/// after a store has lost its last commits, and an object from before the loss would pass as current.
std::uint64_t next_version(std::uint64_t version);
bool same_entity(std::uint64_t version, std::uint64_t other);

/// Takes the place of the main record of an erased entity until the entity's shards are removed.
std::string tombstone();
bool is_tombstone(std::string_view main_record);

/// Returns when the entity expires, in milliseconds since 1970; empty: never.
std::optional<std::int64_t> read_expiry(EntityKeyView key, std::string_view main_record);

/// Returns whether the entity has expired. Always false in a class whose entities never expire.
inline bool has_expired(const EntityType& type, EntityKeyView key, std::string_view main_record, Now now) {
  if (!type.expires_at) return false;
  const std::optional<std::int64_t> expiry = read_expiry(key, main_record);
  return expiry && now.has_come(*expiry);
}

/// Returns whether the entity is gone: erased or expired.
inline bool is_gone(const EntityType& type, EntityKeyView key, std::string_view main_record, Now now) {
  return is_tombstone(main_record) || has_expired(type, key, main_record, now);
}

/// Reads the main record of an entity. Returns false if the entity is absent or gone. `reads`: a transaction
/// or a snapshot.
template <class Reads>
bool get_main(Reads& reads, const EntityType& type, EntityKeyView key, Now now, std::string& record) {
  return reads.get(main_key(key), record) && !is_gone(type, key, record, now);
}

/// The beginning of a main record. An update reads no more of the record, however large it is.
struct MainHead {
  std::uint64_t version = 0;
  std::vector<Layout> layouts;       ///< of the type's sharded properties, in their order
  bool has_unsharded_group = false;  ///< see `decode_main`
};
void read_head(const EntityType& type, EntityKeyView key, std::string_view record, MainHead& head);

/// Returns the record with another layout of one property, under all names of the property that the class
/// knows.
std::string with_layout(const EntityType& type, EntityKeyView key, std::string_view record,
                        const ShardedPropertyType& property, const Layout& layout);

/// The parts of a replaced main record that a save keeps; the expiry only if the class does not know of
/// expiry. An entry under a former name of a property that is not sharded is not kept: the save writes it
/// under the present name.
struct StoredMain {
  std::uint64_t version = 0;
  std::optional<std::int64_t> expiry{};
  std::string layouts;      ///< as stored; empty if there are none
  std::size_t unknown = 0;  ///< number of entries of properties that the class does not have
  std::string unknown_entries;
  /// Whether different bytes of the class's properties mean different values. That holds if the properties
  /// are complete, in the order and under the names of the class, before all unknown entries, and none is an
  /// array or a map. A property that had another type goes unnoticed.
  bool is_exact = false;
};
StoredMain read_main(const EntityType& type, EntityKeyView key, std::string_view record);

/// Returns the names of the properties whose values differ in two main records: the present names, or the
/// stored names if `type` is null.
std::set<std::string> differing_properties(const EntityType* type, EntityKeyView key, std::string_view record,
                                           std::string_view other);

/// Throws `SchemaMismatch` if the save of `record` over `replaced` would change a property of the main record
/// whose value was replaced by a class in which the property is sharded: the change would have no effect.
/// `stored`: the parsed `replaced`.
void refuse_void_values(const EntityType& type, EntityKeyView key, const StoredMain& stored,
                        std::string_view replaced, std::string_view record);

std::uint64_t read_version(EntityKeyView key, std::string_view record);

std::string encode_main(const EntityType& type, const void* entity, std::uint64_t version,
                        const StoredMain& stored);
/// Encodes the entity as it was before the hooks ran.
std::string encode_main(const EntityType& type, const BeforeHooks& before, std::uint64_t version,
                        const StoredMain& stored);
/// Returns the bytes that a save of the unchanged entity in the record would write. They differ from the
/// record if another version of the class wrote it. Empty if the class gives another expiry than the record:
/// then every save has to write.
std::optional<std::string> as_saved(const EntityType& type, EntityKeyView entity_key, std::string_view record,
                                    const StoredMain& stored);

/// A field mask over the properties of a class: those of `only`, or all except those of `except`.
struct FieldMask {
  const std::vector<std::string_view>* only = nullptr;
  const std::vector<std::string_view>* except = nullptr;

  bool has(std::string_view name) const;
};

/// Fills in the entity. Also folds in values that a class without the sharding left in the main record for
/// properties that are now sharded. Groups are left out: their parts have an order, which `ValueReader`
/// handles. If the record has such a part of a group, `has_unsharded_group` is set in the result.
MainHead decode_main(const EntityType& type, EntityKeyView key, std::string_view record, void* entity,
                     const FieldMask& wanted = {});

/// Returns the record with those of the named properties that it lacks, taken from the entity; its other
/// entries stay.
std::string with_members(const EntityType& type, EntityKeyView key, std::string_view record,
                         const std::vector<std::string_view>& names, const void* entity);

/// Folds into the value what a class without the sharding left of a property that is now sharded. Returns
/// false if there is nothing.
bool fold_unsharded(const EntityType& type, const ShardedPropertyType& property, void* value,
                    EntityKeyView key, std::string_view record);

/// Returns whether a class without the sharding left content of a group.
bool has_unsharded_group(const EntityType& type, EntityKeyView key, std::string_view record);

/// Returns the record without the content that a class without the sharding left of the property, under
/// another version. Without a new version, a program of such a class that has loaded the entity before would
/// save the removed content again.
std::string without_unsharded(const EntityType& type, const ShardedPropertyType& property, EntityKeyView key,
                              std::string_view record);

}  // namespace autoshard::detail
