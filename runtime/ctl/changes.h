#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace autoshard::ctl {

/// A record as it was seen, and as it is wanted. A value is absent if there is no record of the key. If both
/// are the same, the record is only validated.
struct Change {
  std::string key;
  std::optional<std::string> present, wanted;
};

/// Makes all changes in one commit, which validates what was seen. After an unknown outcome it reads the
/// records again, so a late commit cannot replace newer records. Returns the key of a record that is neither
/// as it was seen nor as it is wanted; nothing is written then, unless an earlier outcome was unknown. Throws
/// `CommitTooLarge`, `Contention` after many conflicts, `StoreUnavailable` also after many unknown outcomes.
std::optional<std::string> commit_changes(Store& store, std::span<const Change> changes);

/// Removes the records of erased entities, whose keys these are, and their tombstones, as a mapper does.
/// Returns the number of records removed, without the tombstones. An entity without a tombstone stays as it
/// is. Throws as a commit of a mapper does.
std::uint64_t finish_erases(Store& store, std::span<const std::string> entities);

}  // namespace autoshard::ctl
