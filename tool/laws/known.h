#pragma once

/// What follows from how the annotated methods are written: laws that need not be tried, and folds that are
/// sums, minima or maxima.

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

/// `model` with Sharding::known_fold wherever the fold has one of these forms and a store may do it: of an
/// integer without bounds, neither truth value nor character, whose number of shards is fixed. Every
/// translation unit comes to the same, as the traits are part of it: a fold that only some of them see the
/// body of is not known.
Model with_known_folds(Model model);

}  // namespace autoshard::tool
