#pragma once

/// The rule, the place and the fold that a message about a law names.

#include <string>
#include <string_view>

#include "tool/laws/laws.h"

namespace autoshard::tool {

/// Returns the tag of the rule that reports a counterexample to a law of this kind.
std::string_view rule_of(Law::Kind kind);

/// Returns the place to correct if `law` does not hold: the method, the fold or the neutral value.
Span place_of(const Entity& entity, const Law& law);

/// Returns the place of the fold of `property`, or of the property itself if it has no fold of its own.
Span place_of_fold(const Entity& entity, const Property& property);

/// Returns the name of the fold in the user's header: `foldVotes`; `fold` if it is an argument.
std::string written_fold(const Entity& entity, const Property& property);

}  // namespace autoshard::tool
