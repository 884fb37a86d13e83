#pragma once

#include <autoshard/adaptive.h>

#include <vector>

#include "window.h"

namespace autoshard::detail {

/// Returns the properties in main records whose conflicts justify an annotation, the worst first. For a
/// conflict, the window counts each property that had changed, and the main record as a whole as a property
/// without a name. For a successful save it counts only the main record.
std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window);

}  // namespace autoshard::detail
