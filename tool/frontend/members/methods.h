#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct MethodFacts {
  Method method;                                   ///< without its annotations
  std::vector<const clang::CXXMethodDecl*> calls;  ///< of shard methods on the same object
};

/// What is known of a method that is declared in an entity, wherever in the files given it is defined.
MethodFacts read_method(const clang::CXXMethodDecl& method, const Context& context);

/// The bytes of a declaration, from its first token after leading attributes.
Span declaration_span(const clang::Decl& decl, const Context& context);

Access access_of(const clang::Decl& decl);

}  // namespace autoshard::tool
