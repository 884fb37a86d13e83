#pragma once

#include <chrono>
#include <variant>

/// Says when `Mapper::apply` and `Mapper::update` return.
namespace autoshard::durability {

/// The call returns once the update is committed: on disk, if the store writes there.
struct committed {};

/// The call returns once the entity is known to exist and the update is in this process's memory. The commit
/// follows within `within`, together with all other updates of that time. It comes sooner if memory runs
/// short (`MapperOptions::max_in_flight`) or if there is another reason to commit. The time of the commit
/// itself, and of attempts after conflicts, comes on top.
///
/// A crash of the process loses the acknowledged updates that are not committed yet, and never more; nothing
/// is counted twice. `Mapper::flush` and the mapper's destructor return once everything acknowledged before
/// is committed. A load through the same mapper first commits the buffered updates of its entity, and so sees
/// them; other mappers and processes see them once they are committed. If the entity is erased before the
/// commit, the update vanishes with it.
///
/// Two kinds of updates return once they are committed: those of a property with bounds, which may not be
/// possible, and those for which the store may have no room. For these, a key is too long; or the values are
/// larger than 256 KiB or than half of the largest commit; or a window of values other than numbers may
/// grow; or the update replaces a value, and the main record is larger than half of that.
///
/// An acknowledged update that cannot be committed is lost. The loss is logged, and the next `apply`,
/// `update` or `flush` throws `UpdatesLost`. If the store cannot tell whether an update was committed, the
/// next call throws `UpdatesLost` as well, and the message says so.
struct buffered {
  std::chrono::milliseconds within{10};
};

}  // namespace autoshard::durability

namespace autoshard {

using Durability = std::variant<durability::committed, durability::buffered>;

}  // namespace autoshard
