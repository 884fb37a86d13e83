#pragma once

#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Whether all that `write`, a shard_write, does is to assign to sharded members, one after the other, what
/// is computed without any of them. What it leaves does not depend on what was there, then.
bool only_assigns(const Entity& entity, const Method& write, const std::vector<SourceFile>& files);

}  // namespace autoshard::tool
