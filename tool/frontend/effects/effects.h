#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct Effects {
  std::vector<Escape> effects;
  std::vector<UnseenCall> unseen_calls;     ///< calls of functions whose bodies were not read
  std::vector<std::string> seen_functions;  ///< keys of called functions that are not inline
};

/// Returns the effects of a method or a fold outside of its object, arguments and local variables. A second
/// run would repeat such an effect, or would differ. Effects are: to change or read a variable that outlives
/// the call and is no constant, to print, and to draw random numbers.
///
/// Follows each call whose body was read: of functions, methods, constructors, destructors, operators,
/// conversions, default arguments and initialisers. Follows functions that the standard library gets to call.
/// Any other function is noted as an unseen call. It is an effect if it returns nothing and writes no
/// argument.
///
/// If Context::candidates is set, any operation that is not known to be a pure computation is an effect. If
/// `function` is a method that is not static, read_body() handles its static variables and its calls on the
/// same object. Returns no effects if the translation unit does not define the body.
Effects read_effects(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
