#pragma once

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Finds the classes that the headers declare in passing, as in `friend class Question;` or `class Question*
/// next;`, where an annotated class, which moves into an inline namespace, would meet another one of its
/// name. Adds to SourceFile::attribute_edits what declares the right one before.
void add_implicit_declarations(const Context& context);

}  // namespace autoshard::tool
