#pragma once

#include <autoshard/adaptive.h>

#include <vector>

#include "window.h"

namespace autoshard::detail {

/// Those properties in main records on which conflicts are worth an annotation, the worst first. Of a
/// conflict the window has each property that had changed, and the main record as a whole, a property without
/// a name; of a save that succeeded only that.
std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window);

}  // namespace autoshard::detail
