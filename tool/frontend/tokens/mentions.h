#pragma once

/// Tells quickly, without parsing, whether a translation unit may have annotations.

#include <clang/Basic/LangOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringRef.h>

namespace autoshard::tool {

/// Whether `text` holds an attribute of AutoShard's, or a macro that may expand to one.
bool mentions_attributes(llvm::StringRef text, const clang::LangOptions& language);

/// Whether `text` is that of a unit of a module.
bool is_module_unit(llvm::StringRef text, const clang::LangOptions& language);

/// Whether the main file of `compiler`, or a file that it may include and that is not the system's, mentions
/// attributes. Does not evaluate conditions, and does not follow an include whose name a macro gives.
bool main_file_mentions_attributes(clang::CompilerInstance& compiler);

}  // namespace autoshard::tool
