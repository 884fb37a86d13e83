#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "main_record.h"
#include "value_reader.h"

namespace autoshard::detail {

/// Iterates over the entities of a kind in a snapshot, in the order of their keys. Used by one thread at a
/// time.
class EntityScan {
 public:
  /// Iterates over the entities whose keys are at least `begin` and below `end`, both within the kind. The
  /// other arguments must outlive the scan. Entities that have expired by `now` are skipped. With
  /// `kBeforeAllTimes` none is skipped, because expired entities have entries in indexes until they are
  /// removed.
  EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view begin,
             std::string_view end);
  /// Iterates over the entity with this key alone.
  EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, EntityKeyView key);

  /// Moves to the next entity; returns false at the end.
  bool next();
  const EntityKey& key() const { return key_; }
  /// The size of its main record in bytes.
  std::size_t main_size() const { return main_.size(); }

  /// Reads the wanted properties of the entity into `entity`, folded. Returns the entity's version. May be
  /// called once for each entity. `later`: the properties that may be read by `read_rest` afterwards.
  std::uint64_t read(void* entity, const FieldMask& wanted, const FieldMask& later);
  void read_rest(void* entity, const FieldMask& later);

 private:
  EntityScan(std::unique_ptr<Cursor> cursor, const EntityType& type, Now now);

  bool is_of_entity() const { return cursor_->valid() && key_.has_record(cursor_->key()); }

  const EntityType& type_;
  const Now now_;
  std::unique_ptr<Cursor> cursor_;
  EntityKey key_;
  RecordKey main_key_;  // of the record that `next` looks at
  std::string main_;
  bool is_passed_ = true;  // the cursor is after the entity
  ValueReader values_;
};

}  // namespace autoshard::detail
