#pragma once

/// The rules that annotations must keep. One rule a file, named after its diagnostic.

#include <string>
#include <string_view>
#include <vector>

#include "tool/model/model.h"

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

/// Runs every rule. Nothing may be generated where the result has errors.
Diagnostics check(const Model& model);

/// The tags of those rules that only warn, and so can be disabled.
inline constexpr std::string_view kWarnings[] = {"autoshard-plain-method-body", "autoshard-shard-method-name",
                                                 "autoshard-shard-method-unseen-call"};

/// The tags of the rules that check() applies.
std::vector<std::string_view> checked_rules();

}  // namespace autoshard::tool
