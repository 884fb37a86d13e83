#pragma once

#include <clang/AST/DeclCXX.h>

namespace autoshard::tool {

/// Returns whether a value of the type leads to nothing outside of itself.
bool is_closed(clang::QualType type);

/// Returns the class of a set or map that compares its keys as usual and holds closed values; null for any
/// other type.
const clang::CXXRecordDecl* keyed_class(clang::QualType type);

}  // namespace autoshard::tool
