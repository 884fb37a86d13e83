#pragma once

/// Laws that follow from the form of the code, without trials.

#include "tool/laws/laws.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Whether the form of the code proves `law` of `entity` for all values.
///
/// A shard write replaces the value if it only assigns. Other laws hold if the fold combines integers or
/// bitsets by one operation: bitwise, a sum, a product, a minimum or a maximum. Each statement of a shard
/// method must use the same operation, with a parameter or a constant. Sums and products are computed modulo
/// a power of two. If a signed one overflows, the program is undefined with or without shards.
///
/// A shard method may add to groups, which the rule autoshard-group-addition checks. If it also has other
/// updates, none of its effects may depend on a member.
bool follows_from_form(const Entity& entity, const Law& law);

}  // namespace autoshard::tool
