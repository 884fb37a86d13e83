#pragma once

#include <cstdint>
#include <map>

#include "tool/frontend/solver/solver.h"
#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// Has `solver` find values for which `refuted` is true and which people read with ease: small numbers, as
/// far as some of them are among such values. `input` are its symbols. Returns whether it found any values.
bool find_small_values(Term refuted, const std::map<std::int64_t, Term>& input, Terms& terms, Solver& solver);

}  // namespace autoshard::tool
