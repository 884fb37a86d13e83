#pragma once

#include "tool/laws/laws.h"
#include "tool/laws/trial/trier.h"

namespace autoshard::tool {

/// Returns the message for `law`, which is broken for the arguments `broken` of `trial`. `trier` shows the
/// values.
Diagnostic counterexample(const Entity& entity, const Law& law, const Probe::Trial& trial,
                          const Evaluator::Arguments& broken, Trier& trier);

}  // namespace autoshard::tool
