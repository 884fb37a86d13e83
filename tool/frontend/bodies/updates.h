#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The statements of `function`, a method of `entity`, that change a data member of its object in a way that
/// may come to the same in any order.
std::vector<Update> read_updates(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                                 const Context& context);

}  // namespace autoshard::tool
