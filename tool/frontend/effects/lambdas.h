#pragma once

#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

using Lambdas = llvm::SmallVector<const clang::LambdaExpr*, 2>;

/// Returns the lambdas in `statement`, and in the initialisers of local variables that it uses. Leaves out
/// lambdas in the bodies of lambdas. Returns none if there is no lambda.
Lambdas lambdas_in(const clang::Stmt& statement);

}  // namespace autoshard::tool
