#pragma once

/// Laws that need not be tried, because they follow from how the annotated methods are written.

#include <vector>

#include "tool/laws/laws.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Whether `law` of `entity` holds for all values whatsoever. A shard_write replaces what was there where it
/// only assigns (see known_write.h). All else holds because integers are added, multiplied, combined bit by
/// bit, or the greatest or least of them is taken. That is so where a fold is `return x + y;`, with `*`, `|`,
/// `^` or `&` in its place, `return std::max(x, y);`, `return x > y ? x : y;` or a lambda with such a body,
/// or `std::plus<>{}` and its like; where neutral is `0`, `1` or a limit of the type; and where a shard
/// method is a sequence of `++member`, `member += v` and so on, as the fold of the member has it, `member =
/// std::max(member, v)` and `if (v > member) member = v;`. Sums and products are those of the integers modulo
/// a power of two; where a signed one overflows, the program has no meaning with or without shards. What only
/// touches groups adds to them, as the rule autoshard-group-addition has seen.
bool follows_from_form(const Entity& entity, const Law& law, const std::vector<SourceFile>& files);

}  // namespace autoshard::tool
