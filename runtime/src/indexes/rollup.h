#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>
#include <string_view>

/// A *rollup* is an index of a sharded property, in the order of its folded value. No update knows that
/// value: it only makes the entity *dirty*, in its own commit, which says that the entry may be wrong from
/// then on. So of any state of the store it is known which entries are right: those of entities that are not
/// dirty. `RollupRefresh` corrects the others, some time later. These are the records, as runtime/FORMAT.md
/// has them.
namespace autoshard::detail {

/// The key of the entry of an entity.
std::string rollup_entry_key(const EntityType& type, const IndexType& index, std::string_view entity_key,
                             const void* entity);

/// What the keys of the records begin with that say which entities are dirty; their ids follow.
std::string dirty_prefix(const EntityType& type, const IndexType& index);

/// The value of such a record, unless somebody is about to correct the entry: then it is a number that nobody
/// else has drawn, which no update leaves there.
inline constexpr std::string_view kDirty = "\xC0";

void make_dirty(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key);

/// Puts the entry of the entity, in the place of the one that it has; of null, removes it. It is right as
/// long as nobody else changes the value before the commit.
void put_rollup(Transaction& transaction, const EntityType& type, const IndexType& index,
                std::string_view entity_key, const void* entity);

/// Removes this record of the rollup if it is of no entity, or is an entry that no entity has.
void clean_rollup_record(Transaction& transaction, const EntityType& type, const IndexType& index,
                         const std::string& key);

/// Removes what there is of an entity but its entry.
void erase_rollup_notes(Transaction& transaction, const EntityType& type, const IndexType& index,
                        std::string_view entity_key);

/// Those of a new entity, or, of null, an erased one, in all rollups of its class. It is not dirty then.
void put_rollups(Transaction& transaction, const EntityType& type, std::string_view entity_key,
                 const void* entity);

}  // namespace autoshard::detail
