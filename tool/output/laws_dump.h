#pragma once

#include <string>
#include <vector>

#include "tool/laws/laws.h"

namespace autoshard::tool {

/// What is known of each law, as JSON: an array with an object for each entity.
std::string dump(const std::vector<EntityLaws>& laws);

}  // namespace autoshard::tool
