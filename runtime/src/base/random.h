#pragma once

#include <cstdint>

namespace autoshard::detail {

/// Not for secrets. Each thread draws from a sequence of its own, seeded by the system.
std::uint64_t random_bits();

/// In [0, bound); 0 if `bound` is.
inline std::uint64_t random_below(std::uint64_t bound) { return bound == 0 ? 0 : random_bits() % bound; }

}  // namespace autoshard::detail
