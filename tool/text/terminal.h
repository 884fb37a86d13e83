#pragma once

/// Text for a person at a terminal: of 80 columns, where it is not known to be narrower.

#include <cstddef>
#include <string>
#include <string_view>

namespace autoshard::tool {

/// `text` behind `indent` blanks, broken between words; what follows the first line is indented by two more.
/// Ends in a newline.
std::string wrapped(std::size_t indent, std::string_view text);

}  // namespace autoshard::tool
