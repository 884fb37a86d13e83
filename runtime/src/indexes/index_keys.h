#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The keys of the records of indexes, as runtime/FORMAT.md has them.
namespace autoshard::detail {

/// What follows the index's key in the keys of a rollup's records: see rollup.h. Do not change: it is stored.
inline constexpr char kRollupDirty = '\x01', kRollupValue = '\x02', kRollupEntry = '\x03';

/// What the keys of the index's records begin with; by itself, the key of the record of its state. Made once
/// for each index, which lives as long as the program.
const std::string& index_key(const EntityType& type, const IndexType& index);

/// What the keys of its entries begin with, of each of its shards.
std::vector<std::string> index_prefixes(const EntityType& type, const IndexType& index);

/// How much of what follows the prefix in an entry's key are the values of the index's members.
std::size_t size_of_values(const IndexType& index, std::string_view suffix);

/// Throws `KeyTooLong` where the store has no room for an entry's key. `longest`: of the store; 0: no limit.
void check_size(const IndexType& index, std::string_view entity_key, std::string_view entry_key,
                std::size_t longest);

/// Of an entry: the key of the entity that it leads to.
std::string entity_of_entry(const EntityType& type, const IndexType& index, std::string_view entry_key,
                            std::string_view suffix, std::string_view value);

}  // namespace autoshard::detail
