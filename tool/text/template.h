#pragma once

/// Templates that look like their output: text with named holes, written `$name$`.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace autoshard::tool {

/// `text` with every hole filled. A line that holds nothing but holes disappears when all of them are empty,
/// so that optional parts leave no blank lines behind. The newline after the opening quotes of a raw string
/// is dropped. A hole that is not named in `values` is a mistake of the caller's and throws std::logic_error.
std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> values);

}  // namespace autoshard::tool
