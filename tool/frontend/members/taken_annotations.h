#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The annotations of `decl`, which is `scope` or a member of it, with the values of their arguments as far
/// as they are known. Marks them as claimed, so that they are no strays.
std::vector<Annotation> take_annotations(const clang::Decl& decl, const clang::CXXRecordDecl& scope,
                                         const Context& context);

}  // namespace autoshard::tool
