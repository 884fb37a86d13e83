#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The effects of a method that depend on sharded members of its object. Changes of these members do not
/// count.
struct Dependences {
  std::vector<Disclosure> disclosures;
  std::vector<DependentThrow> throws;  ///< at most one: the first in the body
};

/// Reads `function`, a method of `entity`. Follows local variables, conditions, arguments of calls, and calls
/// of lambdas. Does not follow a lambda that is assigned to a variable after its declaration, as in
/// `std::function<void(int)> f; f = [&](int v) { … };`.
///
/// A disclosure is a dependent value that reaches the caller: by the result, or by a reference or pointer
/// among the parameters. The result of another shard method is not followed: that method has a check of its
/// own.
///
/// A throw is a `throw`, or a call that ends the program, under a condition that depends on a sharded member.
/// It may stand in a called function whose definition was read, if the call or an argument depends on a
/// sharded member.
///
/// Returns empty lists if nothing depends on a sharded member, or if the translation unit does not define the
/// body.
Dependences read_dependences(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                             const Context& context);

}  // namespace autoshard::tool
