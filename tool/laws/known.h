#pragma once

/// Laws that need not be tried, because they follow from how the annotated methods are written.

#include <vector>

#include "tool/laws/laws.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Whether `law` of `entity` holds for all values whatsoever, because integers are added. That is so where a
/// fold is `return x + y;` or `std::plus<>{}`, neutral is `0`, and a shard method is a sequence of
/// `++member`, `--member`, `member += v` and `member -= v`, where v is a parameter of an integer type or a
/// number. Such sums are those of the integers modulo a power of two; where a signed one overflows, the
/// program has no meaning with or without shards.
bool follows_from_form(const Entity& entity, const Law& law, const std::vector<SourceFile>& files);

}  // namespace autoshard::tool
