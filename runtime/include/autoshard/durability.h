#pragma once

#include <chrono>
#include <variant>

/// When `Mapper::apply` and `Mapper::update` return.
namespace autoshard::durability {

/// Once the update is committed: on disk, if the store is one that writes there.
struct committed {};

/// Once the entity is known to be there and the update is in this process's memory; the commit follows within
/// this time, together with all others that came meanwhile, or sooner if memory runs short
/// (`MapperOptions::max_in_flight`) or something else is committed anyhow. The time that the commit itself
/// takes, and attempts after conflicts, come on top.
///
/// A crash of the process loses what was acknowledged and is not committed yet, never more, and nothing is
/// counted twice. `Mapper::flush` returns once everything acknowledged before is committed, and so does the
/// mapper's destructor. A load through the same mapper commits what is buffered of its entity first, and so
/// sees it; other mappers and processes see it once it is committed. An update whose entity is erased before
/// the commit vanishes with it.
///
/// An update of a property with bounds returns once it is committed: only then is it known to be possible.
///
/// An update that was acknowledged and then cannot be committed is lost; that is logged, and the next
/// `apply`, `update` or `flush` throws `UpdatesLost`. So it does, and says so, if the store cannot tell
/// whether an update was committed.
struct buffered {
  std::chrono::milliseconds within{10};
};

}  // namespace autoshard::durability

namespace autoshard {

using Durability = std::variant<durability::committed, durability::buffered>;

}  // namespace autoshard
