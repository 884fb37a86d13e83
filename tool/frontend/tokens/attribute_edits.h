#pragma once

#include <llvm/ADT/DenseSet.h>

#include "tool/frontend/tokens/annotations.h"

namespace autoshard::tool {

/// Fills SourceFile::attribute_edits of the headers given.
void add_attribute_edits(const TokenLog& log, const FoundAttributes& found, Files& files);

/// Fills SourceFile::include_edits, pragma_once, directives, macros and skipped of the headers given. The
/// first lead to the generated form of every file in `rewritten`, and of the headers given that come to
/// include one.
void add_directives(const TokenLog& log, llvm::DenseSet<const clang::FileEntry*> rewritten, Files& files);

/// Fills SourceFile::pragma_once, where the `#pragma` that stands in the line of `at` is one.
void add_pragma(const Span& at, Files& files);

}  // namespace autoshard::tool
