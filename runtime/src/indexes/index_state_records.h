#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "entity_index.h"

/// The records that say which indexes are complete, as runtime/FORMAT.md has them.
namespace autoshard::detail {

/// Whether the index has a right entry for each entity in this state of the store, but for those that are
/// stale.
bool is_complete(const Snapshot& snapshot, const EntityIndex& index);

/// The record of an index's state, as runtime/FORMAT.md has it.
std::string encode_state(bool is_complete);
bool reads_complete(std::string_view key, std::string_view state);

/// The keys of the indexes in the store that the class does not have: of another version of the class.
std::vector<std::string> other_indexes(const Snapshot& snapshot, const EntityType& type);

/// Puts a new generation of the kind's indexes, and returns it. Each transaction that puts or erases the
/// record of an index's state has to do so: it makes all writers of the kind look at the indexes again.
std::string put_generation(Transaction& transaction, const EntityType& type);

/// The generation of the kind's indexes; empty where there is none.
std::string read_generation(const Snapshot& snapshot, const EntityType& type);
std::string read_generation(Transaction& transaction, const EntityType& type);

/// Whether there are entities of the kind, also some that have expired.
bool has_entities(const Snapshot& snapshot, const EntityType& type);

/// Whether the state of an index of the class does not say that it is complete.
bool has_incomplete(const Snapshot& snapshot, const EntityType& type);

}  // namespace autoshard::detail
