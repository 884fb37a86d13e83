#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The values of the constant expressions in the body of `function`, and the texts in it. Constants may be
/// defined anywhere. Laws are tried on these values, because a body may treat them differently from others.
Constants read_constants(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
