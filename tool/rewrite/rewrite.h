#pragma once

/// The user's header, with every entity in it turned into its companion class.

#include <string>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The generated form of `model.files[file]`. The user's text, comments and formatting survive; what is new
/// is formatted as the `.clang-format` beside the header says. The model must have passed every check.
std::string rewrite(const Model& model, std::uint32_t file);

}  // namespace autoshard::tool
