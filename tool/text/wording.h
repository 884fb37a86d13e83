#pragma once

/// Parts of sentences and of generated text.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

/// `'text'`
std::string quoted(std::string_view text);

/// The candidate that `word` probably means, or nothing.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// `a, b or c`, each in quotes.
std::string any_of_these(const std::vector<std::string_view>& words);

/// `a, b, c`
std::string list(const std::vector<std::string>& words);

/// `a, b and c`, with `last` for `and`.
std::string enumeration(const std::vector<std::string>& words, const std::string& last);

/// `1 record`, `2 records`
std::string count(std::size_t number, const std::string& thing);

/// `text` as a C++ string literal, quotes included.
std::string string_literal(std::string_view text);

}  // namespace autoshard::tool
