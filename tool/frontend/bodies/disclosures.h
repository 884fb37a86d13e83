#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The values that a method hands to its caller and that depend on the sharded members of `entity`: by what
/// it returns, or by a reference or pointer among its parameters. Follows local variables, conditions, the
/// arguments of calls, and calls of lambdas. Does not follow a lambda that is assigned to a variable after
/// its declaration, as in `std::function<void(int)> f; f = [&](int v) { … };`. What a call of another shard
/// method hands back is left to the check of that method.
std::vector<Disclosure> read_disclosures(const clang::FunctionDecl& function,
                                         const clang::CXXRecordDecl& entity, const Context& context);

}  // namespace autoshard::tool
