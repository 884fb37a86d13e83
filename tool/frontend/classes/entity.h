#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What is known of an annotated class. `record` is its definition.
Entity read_entity(const clang::CXXRecordDecl& record, Role role, const Context& context);

}  // namespace autoshard::tool
