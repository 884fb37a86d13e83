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

/// What an argument such as `24h` says.
struct Duration {
  enum class Problem {
    kNone,
    kNoDuration,  ///< something else than a whole number with a unit
    kNoUnit,
    kUnknownUnit,
    kNotPositive,
    kTooLong,  ///< more than kMostDays
  };

  Problem problem = Problem::kNone;
  std::int64_t seconds = 0;  ///< where there is no problem
  std::string_view unit{};   ///< as it is written
};

/// Reads a duration as it is written in an annotation. `unit` of the result points into `text`.
Duration read_duration(std::string_view text);

/// Whether the value of a property is that of a window, with or without mistakes.
bool has_window(const Property& property);

}  // namespace autoshard::tool
