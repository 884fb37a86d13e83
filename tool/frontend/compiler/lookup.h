#pragma once

#include <clang/AST/ASTContext.h>

#include <string_view>

namespace autoshard::tool {

/// The declaration of this qualified name, or null. Of several, the first.
clang::NamedDecl* find_declaration(clang::ASTContext& ast, std::string_view qualified_name);

}  // namespace autoshard::tool
