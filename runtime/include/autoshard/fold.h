#pragma once

#include <cstdint>

namespace autoshard {

/// What a fold does with two integers, as far as that is known.
enum class Fold : std::uint8_t {
  kOther,    ///< not known, or none of these
  kSum,      ///< adds them
  kMinimum,  ///< keeps the less
  kMaximum,  ///< keeps the greater
};

}  // namespace autoshard
