#pragma once

/// Finds out without parsing that a translation unit has nothing to do with AutoShard.

#include <clang/Frontend/CompilerInstance.h>

#include <optional>

#include "tool/frontend/compiler/files.h"

namespace autoshard::tool {

/// What was seen of files that hold no annotation.
struct Scan {
  std::vector<clang::FileEntryRef> files;  ///< all that may be read, the system's too
  std::vector<Span> pragmas;               ///< where a `#pragma` of an input begins; an empty span
};

/// Looks through the text of the main file of `compiler`, and of all files that it may include under any
/// condition. Returns nothing where something there is, or may become, an annotation, a misspelled one
/// included. In doubt it may: where a macro pastes tokens or has brackets in it, where a name is given by a
/// macro or written in pieces, where modules, precompiled headers or overlays of the file system are at work.
/// Headers of the system are trusted not to be that subtle: they count only where they have the name in an
/// attribute or a macro.
std::optional<Scan> scan_unannotated(clang::CompilerInstance& compiler, const Files& files);

}  // namespace autoshard::tool
