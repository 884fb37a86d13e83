#pragma once

/// The user's header or source, with every entity in it turned into its companion class.

#include <optional>
#include <string>

#include "tool/model/model.h"
#include "tool/rewrite/in_place.h"

namespace autoshard::tool {

/// Where includes of annotated headers lead in the generated form.
enum class Includes { kOfGenerated, kAsWritten };

/// Whether the generated form of `model.files[file]` says anything else than the file.
bool is_rewritten(const Model& model, std::uint32_t file);

/// The generated form of `model.files[file]`. The user's text, comments and formatting survive; what is new
/// is formatted as the `.clang-format` beside the file says. The model must have passed every check.
std::string rewrite(const Model& model, std::uint32_t file, Includes includes);

/// What the compiler reads instead of `model.files[file]`, or nothing where that has nothing to do with
/// entities. The file's form is one of
/// those in place. The model must have passed every check.
std::optional<InPlaceText> rewrite_in_place(const Model& model, std::uint32_t file);

}  // namespace autoshard::tool
