#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The integers that the class, or a constructor whose body was read, gives `field` of `record` at first, as
/// far as they are constants.
std::vector<InitialValue> initial_values(const clang::FieldDecl& field, const clang::CXXRecordDecl& record,
                                         const Context& context);

/// Whether a constructor of `record` gives `field` a value that is not a constant, or does so out of sight.
bool begins_with_any(const clang::FieldDecl& field, const clang::CXXRecordDecl& record,
                     const Context& context);

}  // namespace autoshard::tool
