#pragma once

#include <string>

#include "tool/rewrite/edits.h"

namespace autoshard::tool {

/// Formats what has yet to be formatted in `edited` in the style of the `.clang-format` that governs `path`,
/// or in Google's where there is none, and leaves the rest as the user wrote it.
std::string format(const EditedText& edited, const std::string& path);

}  // namespace autoshard::tool
