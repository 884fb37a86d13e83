#pragma once

#include <cstdint>
#include <map>

#include "tool/frontend/solver/solver.h"
#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// Makes `solver` find values for which `refuted` is true. Prefers values that are easy to read: small
/// numbers. `input` has the symbols of `refuted`. Returns whether it found values; then Solver::value returns
/// them. Returns false also if the solver gave up.
bool find_small_values(Term refuted, const std::map<std::int64_t, Term>& input, Terms& terms, Solver& solver);

}  // namespace autoshard::tool
