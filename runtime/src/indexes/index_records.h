#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index_keys.h"

/// The records of indexes, as runtime/FORMAT.md has them.
namespace autoshard::detail {

/// What entries are written by.
struct EntryLimits {
  Now now;                  ///< entities that have expired by then have no unique key
  std::size_t longest_key;  ///< of the store; 0: no limit
};

/// Puts into the transaction that writes the main record what the indexes are to say from then on. `stored`:
/// the main record as the transaction has read it, null without one. `entity`: what is written, null for an
/// erase; of a new one also its sharded properties. Throws `NotUnique` or `KeyTooLong`, before anything is
/// put.
void put_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                       const std::string* stored, const void* entity, const EntryLimits& limits);

/// Puts the entries of an entity where they may be missing, makes it dirty to rollups, and puts into its main
/// record the members that it does not have, as they are in the entries; throws `NotUnique` or `KeyTooLong`.
/// One that has expired gets none of unique indexes.
void restore_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                           const std::string& stored, const std::vector<const IndexType*>& indexes,
                           const EntryLimits& limits);

/// Removes this entry of an index, no rollup, if no entity has it.
void clean_entry(Transaction& transaction, const EntityType& type, const IndexType& index,
                 const std::string& entry_key);

}  // namespace autoshard::detail
