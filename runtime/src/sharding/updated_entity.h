#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>
#include <string_view>

#include "keys.h"
#include "main_record.h"
#include "staged_writes.h"

namespace autoshard::detail {

/// The entity that a transaction is about to update. Reuses its memory from one entity to the next.
struct UpdatedEntity {
  /// Reads the main record. `NotFound` if there is none, or the entity has expired.
  void read(Store& its_store, Now now, Transaction& its_transaction, const EntityType& its_type,
            EntityKeyView its_key);

  /// Sets the layout of the property's records from this transaction on.
  void set_layout(std::size_t place, const Layout& layout, StagedWrites& writes);

  Store* store = nullptr;
  Transaction* transaction = nullptr;
  const EntityType* type = nullptr;
  EntityKeyView key;
  RecordKey main_key;
  std::string main_record;
  MainHead head;
};

}  // namespace autoshard::detail
