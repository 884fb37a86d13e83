#pragma once

#include <cstdint>

#include "tool/model/model.h"

namespace autoshard::tool {

/// After how many seconds, at the latest, an updated entity is in its new place in the index of a sharded
/// property.
inline constexpr std::int64_t kDefaultStaleness = 10, kMostStaleness = 86'400;

/// As the annotation has it.
inline std::int64_t staleness_of(const Property& property) {
  const std::optional<Index>& index = property.marks.index;
  return index && index->staleness ? index->staleness->number.value_or(kDefaultStaleness) : kDefaultStaleness;
}

}  // namespace autoshard::tool
