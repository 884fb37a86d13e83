#pragma once

/// Text for a person at a terminal: of 80 columns, where it is not known to be narrower.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

/// `text` behind `indent` blanks, broken between words; what follows the first line is indented by two more.
/// Ends in a newline.
std::string wrapped(std::size_t indent, std::string_view text);

/// `a, b, c`
std::string list(const std::vector<std::string>& words);

/// `a, b and c`, with `last` for `and`.
std::string enumeration(const std::vector<std::string>& words, const std::string& last);

/// `1 record`, `2 records`
std::string count(std::size_t number, const std::string& thing);

}  // namespace autoshard::tool
