#pragma once

#include <cstdint>
#include <string>

#include "plan.h"

namespace autoshard::simulation {

struct Result {
  std::uint64_t trace_hash = 0;
  std::string failure;  ///< empty if there is none
  std::string trace;    ///< if it was asked for
};

/// Carries a plan out, in a process of its own, so that all that programs have once begins anew.
Result run(const Plan& plan, bool traces);

/// A plan that fails in the same way, with as little in it as could be found.
Plan shrink(const Plan& plan, const std::string& failure);

}  // namespace autoshard::simulation
