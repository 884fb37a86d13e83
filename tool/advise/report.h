#pragma once

#include <string>
#include <vector>

#include "tool/advise/advise.h"
#include "tool/text/changes.h"

namespace autoshard::tool {

/// The advice for a person at a terminal of 80 columns: which members, why, what they get, what that costs,
/// and why the others are left alone.
std::string report(const Model& model, const std::vector<ClassAdvice>& advice);

/// The lines that `changes`, all of them insertions, change in `source`: a unified difference, as `patch`
/// takes it.
std::string unified(const SourceFile& source, const std::vector<Change>& changes);

}  // namespace autoshard::tool
