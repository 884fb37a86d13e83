#pragma once

#include <clang/AST/Decl.h>

namespace autoshard::tool {

/// Whether `decl` is something of the standard library, at any depth: a function, or a method of a class.
inline bool is_standard(const clang::Decl& decl) {
  for (const clang::DeclContext* at = decl.getDeclContext(); at; at = at->getParent()) {
    if (at->isStdNamespace()) return true;
  }
  return false;
}

/// Empty where there is none, as of an operator or a constructor.
inline llvm::StringRef identifier_of(const clang::NamedDecl* decl) {
  return decl && decl->getDeclName().isIdentifier() ? decl->getName() : llvm::StringRef();
}

}  // namespace autoshard::tool
