#pragma once

#include <cstdint>

namespace autoshard::detail {

/// Not for secrets. Each thread of each process draws from its own sequence, which the system seeds.
std::uint64_t random_bits();

/// Returns a number in [0, bound); 0 if `bound` is 0.
inline std::uint64_t random_below(std::uint64_t bound) { return bound == 0 ? 0 : random_bits() % bound; }

}  // namespace autoshard::detail
