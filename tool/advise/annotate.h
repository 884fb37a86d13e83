#pragma once

/// The annotations of a suggestion, in the header's own style.

#include <string>
#include <vector>

#include "tool/advise/advise.h"
#include "tool/text/changes.h"

namespace autoshard::tool {

/// The attribute that a suggested member gets: `shardable(neutral = 0, shards = 10, fold = std::plus<>{})`.
std::string attribute(const Suggestion& suggestion);

/// What is to be inserted in `model.files[file]`, for every class whose advice is complete. Touches nothing
/// that is there. Attributes stand in front of what they belong to, on a line of their own where that would
/// become too long.
std::vector<Change> annotations(const Model& model, const std::vector<ClassAdvice>& advice,
                                std::uint32_t file);

}  // namespace autoshard::tool
