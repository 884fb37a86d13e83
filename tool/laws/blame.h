#pragma once

/// What a message about a law names: a rule, a place and a fold.

#include <string>
#include <string_view>

#include "tool/laws/laws.h"

namespace autoshard::tool {

/// The rule that reports a counterexample to a law of this kind.
std::string_view rule_of(Law::Kind kind);

/// What is to be mended where `law` does not hold: the method, the fold or the neutral value.
Span place_of(const Entity& entity, const Law& law);

/// The fold of `property`; the property itself where that has none of its own.
Span place_of_fold(const Entity& entity, const Property& property);

/// The name of the fold in the header of the user: `foldVotes`, or `fold` if it is an argument.
std::string written_fold(const Entity& entity, const Property& property);

}  // namespace autoshard::tool
