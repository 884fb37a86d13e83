#pragma once

#include <clang/AST/Decl.h>

namespace autoshard::tool {

/// Whether `function` is known to do more than compute with its arguments: print, read, wait, look at the
/// clock, the environment or the locale, draw a random number, or change what a process shares. `strict`:
/// also whether it calls a function that it was given before.
bool is_known_to_act(const clang::FunctionDecl& function, bool strict);

/// Whether `function` belongs to the standard library, to C, to the compiler or to fmt, and so is understood
/// without its body. A user's specialisation, such as that of `std::hash`, does not.
bool is_of_library(const clang::FunctionDecl& function);

/// Whether a declaration is one of the standard library's own.
bool is_library_declaration(const clang::Decl& decl);

/// What a call of `function` is called in messages: "calls 'rand'", "uses 'errno'".
std::string call_in_words(const clang::FunctionDecl& function);

}  // namespace autoshard::tool
