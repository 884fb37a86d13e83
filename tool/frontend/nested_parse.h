#pragma once

/// Reads what a compiler is about to compile, from within it.

#include <clang/Frontend/CompilerInstance.h>

#include <functional>

#include "tool/frontend/compiler/files.h"
#include "tool/frontend/parsed.h"

namespace autoshard::tool {

/// What was read. Reports through the compiler that is about to compile.
class NestedParse : public Parsed {
 public:
  /// Of Clang's own, with its place; empty where there is none.
  virtual const std::string& first_error() const = 0;

  /// Of a file of the model's.
  virtual clang::FileEntryRef entry(std::uint32_t file) const = 0;
  virtual bool has_line_directives(std::uint32_t file) const = 0;
};

/// Parses the translation unit of `compiler` beside it, in a compiler instance of its own, and calls `use`
/// once with the result. Clang's own errors are not shown: `compiler` will meet them as well. Every file that
/// is not the system's counts as an input. `compiler` may be in the middle of its preprocessing. Plugins of
/// it run in the second instance, too: `is_parsing_nested` tells them.
void parse_nested(clang::CompilerInstance& compiler, const std::function<void(NestedParse&)>& use);

/// Whether parse_nested() is at work.
bool is_parsing_nested();

}  // namespace autoshard::tool
