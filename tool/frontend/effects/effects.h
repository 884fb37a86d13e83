#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct Effects {
  std::vector<Escape> effects;
  std::vector<UnseenCall> unseen_calls;     ///< of functions whose bodies were not read
  std::vector<std::string> seen_functions;  ///< by their keys, those it calls that are no inline functions
};

/// What the body of a method or a fold does that would be done twice, or differently, if it ran twice:
/// changes or reads variables that outlive it and are no constants, prints, draws random numbers. Follows
/// every call whose body was read, of functions, methods, constructors, destructors, operators and
/// conversions, default arguments and initialisers, and what it gives the standard library to call. Any other
/// function is noted, or is an effect if it returns nothing and fills nothing. Where suggestions are asked
/// for (Context::candidates), anything counts that is not known to be a computation on its object, its
/// arguments and constants. Calls on the same object, and static variables, are left to read_body() where
/// `function` is a method that is not static.
Effects read_effects(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
