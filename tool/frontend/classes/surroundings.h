#pragma once

/// What stands around the entities in their files.

#include "tool/frontend/tokens/context.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Fills in the surroundings of every entity of `model`.
void read_surroundings(const Context& context, Model& model);

}  // namespace autoshard::tool
