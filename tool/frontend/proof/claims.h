#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// One of the ways in which a function can return false.
struct Claim {
  Term refuted = nullptr;  ///< true for the input for which it does
  Term nearly = nullptr;   ///< shorter, and true for at least that input
};

/// What it takes for a function to return true for all input.
struct Claims {
  std::vector<Claim> claims;             ///< it does if no input refutes any of them
  std::map<std::int64_t, Term> input{};  ///< by place, the bytes that were read
  std::string obstacle{};                ///< what formulas cannot say; empty: nothing
  bool rounds = false;  ///< sums or products of floating-point numbers, which are taken to be exact
};

/// The claims of `function`, which takes a pointer to its input and returns one bit. It must not have loops.
Claims claims_of(llvm::Function& function, Terms& terms);

/// What a function returns.
struct Returned {
  Term value = nullptr;
  Term returns = nullptr;  ///< whether it returns at all, and all that it did had a meaning
  std::string obstacle{};
};
Returned returned_by(llvm::Function& function, Terms& terms);

}  // namespace autoshard::tool
