#pragma once

#include "tool/frontend/context.h"

namespace autoshard::tool {

/// Fills `model` with the entities, strays and forward declarations of the headers given.
void read_entities(const Context& context, Model& model);

}  // namespace autoshard::tool
