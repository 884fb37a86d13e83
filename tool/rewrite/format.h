#pragma once

#include <string>
#include <string_view>

#include "tool/text/changes.h"

namespace autoshard::tool {

/// Formats what has yet to be formatted in `edited` in the style of the `.clang-format` that governs `path`,
/// or where there is none in Google's, but indented as `original` is, the text before its changes. Leaves the
/// rest as the user wrote it.
std::string format(const EditedText& edited, const std::string& path, std::string_view original);

/// How long a line of `text`, the content of `path`, may get: as its `.clang-format` says, or, where there is
/// none, 80 columns, or as long as the longest line that is there already.
std::size_t column_limit(const std::string& path, const std::string& text);

}  // namespace autoshard::tool
