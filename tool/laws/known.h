#pragma once

/// Laws that need not be tried, because they follow from how the methods are written.

#include "tool/laws/laws.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Whether `law` of `entity` holds for all values. A shard_write replaces the value where it only assigns.
/// All else holds because integers or bitsets are combined bit by bit, integers are added or multiplied, or
/// the greatest or least of them is taken: by the fold, and in the same way by each statement of a shard
/// method, with a parameter or a constant. Sums and products are those of the integers modulo a power of two;
/// where a signed one overflows, the program has no meaning with or without shards. A shard method adds to
/// groups, as the rule autoshard-group-addition has seen; beside other updates, nothing that it does may
/// depend on a member.
bool follows_from_form(const Entity& entity, const Law& law);

}  // namespace autoshard::tool
