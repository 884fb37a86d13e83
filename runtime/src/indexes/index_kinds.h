#pragma once

#include <memory>

#include "entity_index.h"

/// The kinds of indexes.
namespace autoshard::detail {

/// An index of members of main records, unique or not. Each entity has one entry, which the commit of its
/// main record writes.
std::unique_ptr<const EntityIndex> make_entry_index(const EntityType& type, const IndexType& declared);

/// A *ranked index* orders entities by the folded value of a sharded property. An update does not know that
/// value. It only marks the entity as *dirty*, in its own commit, which says that the entry may be wrong from
/// then on. So in any state of the store, the entries of the entities that are not dirty are known to be
/// right. A refresh corrects the others later.
std::unique_ptr<const EntityIndex> make_ranked_index(const EntityType& type, const IndexType& declared);

/// An index of the elements of a collection in main records. Each entity has an entry for each element; for a
/// map, for each key.
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
