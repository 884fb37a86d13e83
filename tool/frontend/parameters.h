#pragma once

#include "clang/AST/Decl.h"
#include "tool/frontend/context.h"

namespace autoshard::tool {

/// What is known of the parameter at `position`, from 0, of a method.
Parameter read_parameter(const clang::ParmVarDecl& parameter, unsigned position, const Context& context);

}  // namespace autoshard::tool
