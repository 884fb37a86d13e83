#pragma once

#include <memory>

#include "entity_index.h"

/// The kinds of indexes.
namespace autoshard::detail {

/// An index of members of main records, unique or not: each entity has one entry, which the commit that
/// writes the main record puts.
std::unique_ptr<const EntityIndex> make_entry_index(const EntityType& type, const IndexType& declared);

/// A *ranked index* is one of a sharded property, in the order of its folded value. No update knows that
/// value: it only makes the entity *dirty*, in its own commit, which says that the entry may be wrong from
/// then on. So of any state of the store it is known which entries are right: those of entities that are not
/// dirty. A refresh corrects the others, some time later.
std::unique_ptr<const EntityIndex> make_ranked_index(const EntityType& type, const IndexType& declared);

/// An index of the elements of a collection in main records: each entity has an entry for each of them, of a
/// map for each key.
std::unique_ptr<const EntityIndex> make_elements_index(const EntityType& type, const IndexType& declared);

inline std::unique_ptr<const EntityIndex> make_index(const EntityType& type, const IndexType& declared) {
  switch (declared.kind) {
    case IndexType::Kind::kRanked:
      return make_ranked_index(type, declared);
    case IndexType::Kind::kElements:
      return make_elements_index(type, declared);
    case IndexType::Kind::kEntries:
      break;
  }
  return make_entry_index(type, declared);
}

}  // namespace autoshard::detail
