#pragma once

#include <vector>

#include "tool/advise/advise.h"
#include "tool/check/check.h"

namespace autoshard::tool {

/// What the rules and laws had against the headers once they were annotated.
struct Trial {
  std::vector<Objection> objections;  ///< to suggestions
  Diagnostics unrelated;              ///< errors that were there before
};

/// Attributes `problems`, found in the model of the annotated headers, to the suggestions in `advice`.
Trial judge_suggestions(const std::vector<ClassAdvice>& advice, const Model& annotated,
                        const Diagnostics& problems);

}  // namespace autoshard::tool
