#pragma once

#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

using Lambdas = llvm::SmallVector<const clang::LambdaExpr*, 2>;

/// The lambdas in `statement`, and those that local variables in it were initialised with. Leaves out lambdas
/// in the bodies of lambdas.
Lambdas lambdas_in(const clang::Stmt& statement);

}  // namespace autoshard::tool
