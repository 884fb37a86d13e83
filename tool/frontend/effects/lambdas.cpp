#include "tool/frontend/effects/lambdas.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace autoshard::tool {
namespace {

using Seen = llvm::SmallPtrSet<const clang::Stmt*, 8>;

void collect(const clang::Stmt* statement, Seen& seen, Lambdas& lambdas) {
  if (!statement || !seen.insert(statement).second) return;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) return lambdas.push_back(lambda);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->isLocalVarDecl()) collect(variable->getInit(), seen, lambdas);
  }
  for (const clang::Stmt* child : statement->children()) collect(child, seen, lambdas);
}

}  // namespace

Lambdas lambdas_in(const clang::Stmt& statement) {
  Seen seen;
  Lambdas lambdas;
  collect(&statement, seen, lambdas);
  return lambdas;
}

}  // namespace autoshard::tool
