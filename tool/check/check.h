#pragma once

/// Applies the rules to the model.

#include "tool/model/diagnostic.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Applies every rule that has a function, in the order of the table. Nothing may be generated if the result
/// has errors.
Diagnostics check(const Model& model);

}  // namespace autoshard::tool
