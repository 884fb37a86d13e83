#include "random.h"

#include "platform.h"

namespace autoshard::detail {

// SplitMix64: eight bytes of state for each thread.
std::uint64_t random_bits() {
  thread_local std::uint64_t state = platform::entropy();
  std::uint64_t bits = state += 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

}  // namespace autoshard::detail
