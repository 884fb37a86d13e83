#pragma once

#include <string>
#include <vector>

#include "tool/model/annotation.h"

namespace autoshard::tool {

/// What a rule found. Shown as Clang shows its own, with the source line, a caret and the rule in brackets.
struct Diagnostic {
  enum class Severity { kWarning, kError };

  std::string rule;  ///< `autoshard-no-id`
  Span span;
  std::string message;  ///< what is wrong and what to do about it
  std::vector<Edit> fixes;
  struct Note {
    Span span;
    std::string message;
  };
  std::vector<Note> notes;
  Severity severity = Severity::kError;
};

using Diagnostics = std::vector<Diagnostic>;

/// Whether anything in it forbids to generate.
bool has_errors(const Diagnostics& diagnostics);

}  // namespace autoshard::tool
