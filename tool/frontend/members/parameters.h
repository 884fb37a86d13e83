#pragma once

#include <clang/AST/Decl.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What is known of the parameter at `position`, from 0, of a method.
Parameter read_parameter(const clang::ParmVarDecl& parameter, unsigned position, const Context& context);

/// Whether a value of `type` may lead to an object that is not its own: a pointer, a view, an iterator, a
/// lambda that holds one by reference.
bool refers_elsewhere(clang::QualType type);

}  // namespace autoshard::tool
