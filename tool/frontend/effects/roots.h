#pragma once

#include <clang/AST/Expr.h>

namespace autoshard::tool {

/// The variable, or `this`, that `expression` is a part of, or is reached from.
const clang::Expr& root_of(const clang::Expr& expression);

/// Also sets `is_element` where `expression` is less than all of it, or than all of what a pointer leads to.
const clang::Expr& root_of(const clang::Expr& expression, bool& is_element);

}  // namespace autoshard::tool
