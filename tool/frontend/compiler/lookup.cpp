#include "tool/frontend/compiler/lookup.h"

namespace autoshard::tool {

clang::NamedDecl* find_declaration(clang::ASTContext& ast, std::string_view qualified_name) {
  clang::NamedDecl* found = nullptr;
  clang::DeclContext* scope = ast.getTranslationUnitDecl();
  for (llvm::StringRef rest = qualified_name; !rest.empty() && scope;) {
    const auto [name, behind] = rest.split("::");
    rest = behind;
    const auto all = scope->lookup(&ast.Idents.get(name));
    found = all.empty() ? nullptr : all.front()->getUnderlyingDecl();
    scope = llvm::dyn_cast_or_null<clang::DeclContext>(found);
  }
  return found;
}

}  // namespace autoshard::tool
