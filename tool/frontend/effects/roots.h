#pragma once

#include <clang/AST/Expr.h>

namespace autoshard::tool {

/// Returns the expression that `expression` is a part of, or is reached from. It usually names a variable, or
/// is `this`. It may be any other expression, such as a call without arguments.
const clang::Expr& root_of(const clang::Expr& expression);

/// Returns the same, and sets `is_element` if `expression` is only a part of the result, or of its target.
/// Leaves `is_element` unchanged otherwise.
const clang::Expr& root_of(const clang::Expr& expression, bool& is_element);

}  // namespace autoshard::tool
