#pragma once

#include <autoshard/adaptive.h>

#include <vector>

#include "adaptive/window.h"

namespace autoshard::detail {

/// Those properties in main records on which conflicts are worth an annotation, the worst first.
std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window);

}  // namespace autoshard::detail
