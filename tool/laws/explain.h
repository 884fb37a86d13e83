#pragma once

#include <string>
#include <vector>

#include "tool/laws/laws.h"

namespace autoshard::tool {

/// What becomes of the entities, for a person at a terminal of 80 columns: their records in the store, how
/// their members are sharded, and what is known of their laws.
std::string explain(const std::vector<EntityLaws>& laws);

}  // namespace autoshard::tool
