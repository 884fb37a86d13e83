#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

/// The lines of a text, each with its end.
std::vector<std::string_view> lines_of(std::string_view text);

/// `text` in lines of at most `width` columns, broken at blanks, each ended by a newline. The first begins
/// with `first`, the others with `rest`. A character counts as one column. A word that is too long gets a
/// line of its own.
std::string wrapped(std::string_view text, std::string_view first, std::string_view rest, std::size_t width);

}  // namespace autoshard::tool
