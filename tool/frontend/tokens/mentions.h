#pragma once

/// Tells without parsing, and in next to no time, whether a translation unit has anything to do with
/// AutoShard.

#include <clang/Basic/LangOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringRef.h>

namespace autoshard::tool {

/// Whether `text` holds an attribute of AutoShard's, or a macro that may expand to one.
bool mentions_attributes(llvm::StringRef text, const clang::LangOptions& language);

/// Whether `text` is that of a unit of a module.
bool is_module_unit(llvm::StringRef text, const clang::LangOptions& language);

/// Whether the main file of `compiler`, or a file that is not the system's and that it may include, does.
/// Conditions are not evaluated, and a name that is given by a macro is not followed.
bool main_file_mentions_attributes(clang::CompilerInstance& compiler);

}  // namespace autoshard::tool
