#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <functional>

namespace autoshard::ctl {

enum class CopyPhase { kCheck, kWrite, kCompare };

struct CopyOptions {
  /// Replaces and removes the records of the target that differ from those of the source. If false, a target
  /// with such records is refused.
  bool replace = false;
  /// Programs write to the source meanwhile. If false, the source is compared as it is after the copy.
  bool is_live = false;
  /// Called after each thousand records that a phase has passed.
  std::function<void(CopyPhase phase, std::uint64_t records)> progress = {};
};

/// Records and bytes of the source, and the records that the target lacked, or had in excess.
struct Copied {
  std::uint64_t records = 0, bytes = 0, written = 0, removed = 0;
};

/// Makes the records of `to` equal to those of one snapshot of `from`, except for the records that are
/// reserved for a store. First looks whether `to` may be written and can hold all keys; then writes the
/// records that differ; then compares both stores record by record. A copy that was cut short leaves a part
/// of the records, and another copy writes the rest. Until then no program must use `to`.
///
/// Each commit validates what it replaces, so a commit whose outcome is unknown cannot take effect later over
/// newer records.
///
/// Throws `InvalidUse` if `to` has other records and `replace` is false, if `from` has no records, or if
/// another program writes to one of the stores; `KeyTooLong` if `to` cannot hold a key, before anything is
/// written; `CommitTooLarge` if it cannot hold a record; and what the stores throw.
Copied copy(Store& from, Store& to, const CopyOptions& options);

}  // namespace autoshard::ctl
