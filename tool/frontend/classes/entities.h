#pragma once

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Fills `model` with the entities, strays and forward declarations of the headers given. Returns all files
/// that declare an annotated class without defining it there, whether they were given or not.
llvm::DenseSet<const clang::FileEntry*> read_entities(const Context& context, Model& model);

}  // namespace autoshard::tool
