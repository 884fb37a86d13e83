#pragma once

#include "clang/AST/Decl.h"
#include "tool/frontend/context.h"

namespace autoshard::tool {

/// What the body of a method may do that would be done twice, or differently, if it ran twice: anything that
/// is not known to be a computation on its object, its arguments and constants. Calls on the same object are
/// left to read_body().
std::vector<Escape> read_effects(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
