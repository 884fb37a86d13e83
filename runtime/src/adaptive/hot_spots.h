#pragma once

#include <autoshard/adaptive.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "window.h"

namespace autoshard::detail {

/// The largest number of shards that is suggested.
inline constexpr std::uint32_t kMostSuggested = 64;

/// Returns the property of a main record if its conflicts justify an annotation. `entity`: in words.
/// `record`: the activity of the main record as a whole.
std::optional<HotSpot> hot_spot(const AdaptiveRules& rules, std::string entity, std::string property,
                                double conflicts, Activity record);

/// Returns the properties in main records whose conflicts justify an annotation, the worst first. For a
/// conflict, the window counts each property that had changed, and the main record as a whole as a property
/// without a name. For a successful save it counts only the main record.
std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window);

}  // namespace autoshard::detail
