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

/// Goes through the entities of a kind, in the order of their keys, as a snapshot has them. For one thread.
class EntityScan {
 public:
  /// Those whose keys are at least `begin` and below `end`, both within the kind. The others must outlive it.
  /// `now`: entities that have expired by then are not there. `kBeforeAllTimes`: all are, for these have
  /// entries in indexes until they are removed.
  EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view begin,
             std::string_view end);
  /// The one of this key.
  EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view key);

  /// Goes to the next one; false at the end.
  bool next();
  const std::string& key() const { return key_; }
  /// Of its main record, in bytes.
  std::size_t main_size() const { return main_.size(); }

  /// Reads the wanted properties of it into `entity`, each folded. Returns its version. Once an entity.
  /// `later`: those that `read_rest` may be called for then.
  std::uint64_t read(void* entity, const Wanted& wanted, const Wanted& later);
  void read_rest(void* entity, const Wanted& later);

 private:
  EntityScan(std::unique_ptr<Cursor> cursor, const EntityType& type, Now now);

  bool is_of_entity() const { return cursor_->valid() && cursor_->key().starts_with(key_); }

  const EntityType& type_;
  const Now now_;
  std::unique_ptr<Cursor> cursor_;
  std::string key_, main_key_, main_;
  bool is_passed_ = true;  // the cursor is behind the entity
  ValueReader values_;
};

}  // namespace autoshard::detail
