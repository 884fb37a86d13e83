#pragma once

/// The rule autoshard-argument-value. It needs the compiler to evaluate an expression. So it is here, and not
/// among the rules that read the model alone.

#include "tool/model/diagnostic.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Reports each argument `neutral`, `min`, `max` and `fold` that does not compile in its role. The model must
/// have passed all checks. Returns no diagnostics if all arguments fit.
Diagnostics wrong_argument_values(const Model& model, Evaluator& evaluator);

}  // namespace autoshard::tool
