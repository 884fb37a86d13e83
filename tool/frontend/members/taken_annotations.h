#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The annotations of `decl`, `scope` or a member of it, with what can be known of their arguments' values.
/// They belong to somebody from then on.
std::vector<Annotation> take_annotations(const clang::Decl& decl, const clang::CXXRecordDecl& scope,
                                         const Context& context);

}  // namespace autoshard::tool
