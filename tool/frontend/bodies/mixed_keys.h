#pragma once

#include <clang/AST/Decl.h>

#include <optional>

#include "tool/frontend/tokens/context.h"
#include "tool/model/method.h"

namespace autoshard::tool {

/// The first place where `function`, or what it calls, may do to the element of one key of a set or map what
/// depends on the elements of other keys, or may let it depend on how often a loop over elements runs. Where
/// there is none, what the function does can be told from one key alone, whichever that is.
std::optional<Escape> find_mixed_keys(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
