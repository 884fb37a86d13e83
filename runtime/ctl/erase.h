#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <string>

#include "looks.h"

namespace autoshard::ctl {

/// The records of an entity, and those that lead to it.
struct EntityRecords {
  std::map<std::string, std::uint64_t> removed;  ///< those that an erase removes, by form
  std::uint64_t tokens = 0;                      ///< that outlive the entity

  /// In words: `1 index record, 1 main record, 8 shards`.
  std::string in_words() const;
};

/// Counts the records that `erase_entity` would remove. `missing` is set if there is no entity. Throws
/// `InvalidUse` if the entity cannot be erased without its class.
EntityRecords count_records(Store& store, const std::string& kind, const std::string& id, Missing& missing);

/// Erases an entity as runtime/FORMAT.md defines it: one commit replaces its main record by a tombstone and
/// removes the records of complete indexes and of expiry that lead to it; then its other records go, and the
/// tombstone. Completes an erase that was cut short. Tokens stay: they outlive their entities. Neither hooks
/// of the class nor caches take notice.
///
/// The commit validates the main record, the states of the indexes, and each record that it removes, so
/// programs may go on meanwhile. Reads all records of the indexes of the kind.
///
/// Throws `InvalidUse`, and changes nothing, if the entity has no main record; if an index of the kind is
/// being built, because the build might give the entity an entry; and if the records of an index do not tell
/// which are of the entity. Throws `Contention` if programs change the entity all the time, and what the
/// store throws.
EntityRecords erase_entity(Store& store, const std::string& kind, const std::string& id, Missing& missing);

}  // namespace autoshard::ctl
