#pragma once

/// The rule autoshard-argument-value. Only the compiler can tell what an expression is worth, so it stands
/// beside the laws, and not among the rules that look at the model alone.

#include "tool/model/diagnostic.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The `neutral`, `min`, `max` and `fold` arguments that do not compile as what they are for. The model must
/// have passed every check.
Diagnostics wrong_argument_values(const Model& model, Evaluator& evaluator);

}  // namespace autoshard::tool
