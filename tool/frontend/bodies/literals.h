#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The values of the constant expressions in the body of `function`, wherever what they name is defined, and
/// the texts in it: laws are tried on them, for a body may treat them unlike others.
Constants read_constants(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
