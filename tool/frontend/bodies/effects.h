#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct Effects {
  std::vector<Escape> effects;
  std::vector<UnseenCall> unseen_calls;     ///< of functions that are only declared
  std::vector<std::string> seen_functions;  ///< by their keys, those it calls that are no inline functions
};

/// What the body of a method does that would be done twice, or differently, if it ran twice: changes
/// variables that outlive it, prints, draws random numbers. A function whose body is not at hand is
/// taken to compute if it returns something or fills what it is given, and noted where it is only declared.
/// Where suggestions are asked for (Context::candidates), anything counts that is not known to be a
/// computation on its object, its arguments and constants. Calls on the same object are left to read_body().
Effects read_effects(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
