#pragma once

/// The stages that say whether annotations are right, in their order.

#include <vector>

#include "tool/check/control.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {

/// What the rules and the laws say.
struct Examination {
  Diagnostics problems;
  std::vector<EntityLaws> laws;  ///< of the model judged; empty where a rule is broken
};

/// Applies every rule to `model`. Where none is broken, and there is an evaluator, tries the laws of
/// `judged`, a part of it; `known` is what has been found out about them before.
Examination examine(const Model& model, const Model& judged, Evaluator* evaluator, const Control& control,
                    const Verdicts& known = {});

}  // namespace autoshard::tool
