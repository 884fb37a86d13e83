#pragma once

#include <string>
#include <vector>

#include "tool/laws/laws.h"

namespace autoshard::tool {

/// Returns the text of `--explain`, for a terminal of 80 columns. For each entity, it has the records in the
/// store, the strategies of sharded members, and the knowledge about the laws.
std::string explain(const std::vector<EntityLaws>& laws);

}  // namespace autoshard::tool
