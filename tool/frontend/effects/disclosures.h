#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What a method does that depends on the sharded members of its object, besides changing these.
struct Dependences {
  std::vector<Disclosure> disclosures;
  std::vector<DependentThrow> throws;  ///< the first one
};

/// Reads `function`, a method of `entity`, and follows local variables, conditions, the arguments of calls,
/// and calls of lambdas. Does not follow a lambda that is assigned to a variable after its declaration, as in
/// `std::function<void(int)> f; f = [&](int v) { … };`.
/// Values reach the caller by what the method returns, or by a reference or pointer among its parameters.
/// What a call of another shard method hands back is left to the check of that method. A `throw`, or a call
/// that ends the program, counts if it runs under a condition that depends on a sharded member, or in a
/// function whose definition was read and that is called so, or with such an argument.
Dependences read_dependences(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                             const Context& context);

}  // namespace autoshard::tool
