#pragma once

#include <cstdlib>

namespace autoshard::test {

/// Ends the fuzzer, which keeps its input, if what must hold does not.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace autoshard::test
