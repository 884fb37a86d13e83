#pragma once

#include <clang/AST/Decl.h>

namespace autoshard::tool {

/// Whether `function` is known to act, beyond computing with its arguments. It acts if it prints, reads,
/// waits, draws random numbers, uses the clock, the environment or the locale, or changes state of the
/// process. `strict`: a call of a `std::function` acts, too. False if nothing is known of the function.
bool is_known_to_act(const clang::FunctionDecl& function, bool strict);

/// Whether `function` belongs to the standard library, to C, to the compiler or to fmt. The generator knows
/// these functions without their bodies. A specialisation by the user, such as of `std::hash`, does not
/// belong to them.
bool is_of_library(const clang::FunctionDecl& function);

/// Whether a declaration belongs to the standard library, and is no specialisation by the user.
bool is_library_declaration(const clang::Decl& decl);

/// Returns the words of messages for a call of `function`: "calls 'rand'", "uses 'errno'".
std::string call_in_words(const clang::FunctionDecl& function);

}  // namespace autoshard::tool
