#pragma once

/// The rules that annotations must keep. One rule a file, named after its diagnostic.

#include <string_view>
#include <vector>

#include "tool/model/diagnostic.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Runs every rule. Nothing may be generated where the result has errors.
Diagnostics check(const Model& model);

/// The tags of those rules that only warn, and so can be disabled.
inline constexpr std::string_view kWarnings[] = {"autoshard-plain-method-body", "autoshard-shard-method-name",
                                                 "autoshard-shard-method-unseen-call"};

/// The tags of the rules that check() applies.
std::vector<std::string_view> checked_rules();

}  // namespace autoshard::tool
