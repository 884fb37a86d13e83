#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// A condition for a function to return true: no input may refute it.
struct Claim {
  Term refuted = nullptr;  ///< true for input that refutes the claim
  Term nearly = nullptr;   ///< a shorter formula that is true for at least the same input
};

/// All conditions for a function to return true for all input.
struct Claims {
  std::vector<Claim> claims;             ///< it returns true if no input refutes any of these
  std::map<std::int64_t, Term> input{};  ///< the input that was read, by its offset in bytes
  std::string obstacle{};                ///< why there are no claims; empty if there are
  bool rounds = false;  ///< sums or products of floating-point numbers were taken to be exact
};

/// Returns the claims of `function`, which takes a pointer to its input and returns one bit. If the function
/// has loops, code that formulas cannot express, or no defined behaviour, `obstacle` says so, and there are
/// no claims. Without claims and without an obstacle, the function returns true for all input. `terms` makes
/// and owns the formulas.
Claims claims_of(llvm::Function& function, Terms& terms);

/// The result of a function, as formulas of its input. If `obstacle` is set, there are no formulas.
struct Returned {
  Term value = nullptr;
  Term returns = nullptr;  ///< true for input for which the function returns and has no undefined behaviour
  std::string obstacle{};
};
Returned returned_by(llvm::Function& function, Terms& terms);

}  // namespace autoshard::tool
