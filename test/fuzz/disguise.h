#pragma once

/// Changes of a text of C++ that its meaning does not notice, and some that it does.

#include <string>

#include "choices.h"

namespace autoshard::test {

/// Odd blanks, line splices and comments between tokens.
std::string with_odd_blanks(const std::string& text, Choices& choices);

/// CRLF, a byte order mark, no newline at the end.
std::string with_odd_lines(const std::string& text, Choices& choices);

/// A few tokens deleted, repeated, or replaced.
std::string with_wrong_tokens(const std::string& text, Choices& choices);

}  // namespace autoshard::test
