#pragma once

#include <cstdint>

#include "plan.h"

namespace autoshard::simulation {

/// How the rest of a plan was drawn.
struct Drawn {
  std::uint64_t seed;
  bool has_versions;  ///< processes may have different versions of the class
  bool use_tokens;
  bool holds_over_loss;  ///< objects that were saved before the store loses commits are saved after it
  OperationId next;      ///< which no operation has yet
};

/// Changes some of the operations of a plan, where its seed says so.
void add_dimensions(Plan& plan, const Drawn& drawn);

}  // namespace autoshard::simulation
