#pragma once

#include <chrono>

namespace autoshard {

/// Asks a load for an entity that may have been read from the store a while ago: `cached{60s}`. It is never
/// older than that, and never without what this mapper has changed itself before the load began.
struct cached {
  std::chrono::nanoseconds at_most;

  constexpr explicit cached(std::chrono::nanoseconds age) : at_most(age) {}
};

}  // namespace autoshard
