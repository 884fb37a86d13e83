#pragma once

#include <clang/AST/DeclBase.h>

namespace autoshard::tool {

/// Whether `decl` is something of the standard library, at any depth: a function, or a method of a class.
inline bool is_standard(const clang::Decl& decl) {
  for (const clang::DeclContext* at = decl.getDeclContext(); at; at = at->getParent()) {
    if (at->isStdNamespace()) return true;
  }
  return false;
}

}  // namespace autoshard::tool
