#pragma once

#include <cstdint>

namespace autoshard {

/// How a fold combines two integers, if that is known.
enum class Fold : std::uint8_t {
  kOther,    ///< unknown, or none of the others
  kSum,      ///< adds them
  kMinimum,  ///< keeps the lesser
  kMaximum,  ///< keeps the greater
};

}  // namespace autoshard
