#include "tool/model/diagnostic.h"

#include <algorithm>

namespace autoshard::tool {

bool has_errors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::kError;
  });
}

}  // namespace autoshard::tool
