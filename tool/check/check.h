#pragma once

/// The rules that annotations must keep. One rule a file, named after its diagnostic.

#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// What a rule found. Shown as Clang shows its own, with the source line, a caret and the rule in brackets.
struct Diagnostic {
  std::string rule;  ///< `autoshard-no-id`
  Span span;
  std::string message;  ///< what is wrong and what to do about it
  std::vector<Edit> fixes;
  struct Note {
    Span span;
    std::string message;
  };
  std::vector<Note> notes;
};

using Diagnostics = std::vector<Diagnostic>;

/// Runs every rule. Nothing may be generated unless the result is empty.
Diagnostics check(const Model& model);

}  // namespace autoshard::tool
