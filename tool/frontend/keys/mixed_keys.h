#pragma once

#include <clang/AST/Decl.h>

#include <optional>

#include "tool/frontend/tokens/context.h"
#include "tool/model/method.h"

namespace autoshard::tool {

/// The first place where `function`, or a function that it calls, is not in a part of C++ in which each key
/// of a set or map is treated by itself: what becomes of the element of a key depends on what was there under
/// that key, not on the elements of other keys, their number or their order. Nothing if there is none.
/// Whatever is not understood counts as such a place.
std::optional<Escape> find_mixed_keys(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
