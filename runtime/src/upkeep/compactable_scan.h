#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <optional>
#include <string>

#include "keys.h"
#include "main_record.h"
#include "strategies.h"

namespace autoshard::detail {

/// A record of an entity, and the property to which it belongs.
struct FoundPart {
  std::size_t place;  ///< of the property
  StoredProperty property;
  PartRecord record;
};

/// Returns the record at the cursor; empty if it belongs to no property of the class.
std::optional<FoundPart> find_part(const EntityType& type, const MainHead& head, Now now,
                                   EntityKeyView entity, const Cursor& cursor);

/// Returns whether compaction folds the record into another one, or removes it.
bool is_compactable(const FoundPart& found);

/// Finds the entities of a kind that have compactable records or an interrupted erase, as far as one look at
/// each record shows. Walks over one page of records at a time, so that no snapshot is held for longer. The
/// arguments must outlive the object.
class CompactableScan {
 public:
  CompactableScan(Store& store, const EntityType& type, Now now);

  /// Returns whether all entities have been visited.
  bool is_at_end() const { return from_.empty(); }

  /// Returns the next of these entities; empty if the page has no further one. The next call begins the next
  /// page. Must not be called at the end.
  std::optional<EntityKey> next_in_page();

 private:
  bool is_compactable(EntityKeyView key, const Cursor& cursor);
  bool may_be_compactable(EntityKeyView key, const Cursor& cursor);

  Store& store_;
  const EntityType& type_;
  const Now now_;
  std::string from_;  // empty: all entities are visited
  const std::string end_;
  EntityKey entity_;  // of the last main record
  MainHead head_;     // of that record
};

}  // namespace autoshard::detail
