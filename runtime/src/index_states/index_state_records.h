#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "entity_index.h"

/// The records that say which indexes are complete, as defined in runtime/FORMAT.md.
namespace autoshard::detail {

/// Returns whether each entity has a right entry in the index in this state of the store, apart from entries
/// of dirty entities.
bool is_complete(const Snapshot& snapshot, const EntityIndex& index);

/// Encodes the record of an index's state, as defined in runtime/FORMAT.md.
std::string encode_state(bool is_complete);
bool reads_complete(std::string_view key, std::string_view state);

/// Returns the keys of the stored indexes that the class does not have; they belong to another version of the
/// class.
std::vector<std::string> other_indexes(const Snapshot& snapshot, const EntityType& type);

/// Writes a new generation of the kind's indexes, and returns it. Each transaction that writes or erases the
/// record of an index's state must do so: the new generation makes all writers of the kind look at the
/// indexes again.
std::string put_generation(Transaction& transaction, const EntityType& type);

/// Returns the generation of the kind's indexes; empty if there is none.
std::string read_generation(const Snapshot& snapshot, const EntityType& type);
std::string read_generation(Transaction& transaction, const EntityType& type);

/// Returns whether there are entities of the kind, including expired ones.
bool has_entities(const Snapshot& snapshot, const EntityType& type);

/// Returns whether the state of an index of the class does not say that it is complete.
bool has_incomplete(const Snapshot& snapshot, const EntityType& type);

}  // namespace autoshard::detail
