#pragma once

/// Sliding windows: sharded members that count the last buckets of time.

#include <cstdint>
#include <string_view>

#include "tool/model/model.h"

namespace autoshard::tool {

/// A load folds the records of every bucket, so their number is bounded.
inline constexpr std::int64_t kMostBuckets = 4096;

/// A hundred years: the runtime counts the seconds in 32 bits.
inline constexpr std::int64_t kMostDays = 36'500;

/// Reads a duration as it is written in an annotation.
Duration read_duration(std::string_view text);

/// Whether the value of a property is that of a window, with or without mistakes.
bool has_window(const Property& property);

}  // namespace autoshard::tool
