#pragma once

#include "llvm/ADT/DenseSet.h"
#include "tool/frontend/annotations.h"

namespace autoshard::tool {

/// Fills SourceFile::attribute_edits of the headers given.
void add_attribute_edits(const TokenLog& log, const FoundAttributes& found, Files& files);

/// Fills SourceFile::include_edits, pragma_once and skipped of the headers given. `annotated` are the files
/// with entities.
void add_directives(const TokenLog& log, const llvm::DenseSet<const clang::FileEntry*>& annotated,
                    Files& files);

}  // namespace autoshard::tool
