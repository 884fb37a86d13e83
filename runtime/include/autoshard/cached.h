#pragma once

#include <chrono>
#include <cstdint>

namespace autoshard {

/// Asks a load for an entity that may have been read from the store a while ago: `cached{60s}`. It is never
/// older than that, and never without what this mapper has changed itself before the load began.
///
/// With `cached{60s, cached::where::shared}` it may be one that another process has read, if they share a
/// `MapperOptions::cache`; without one, it is as without `shared`. Each age has values of its own there, and
/// one that is changed here is read from the store for as long. A memcached keeps values for whole seconds,
/// so that an age below two is of little use. Time that passes until the cache has what was read from the
/// store adds to the age: usually less than a millisecond. A cache that is slow, away or full of something
/// else costs its timeouts, and the load reads the store.
struct cached {
  enum class where : std::uint8_t {
    this_process,
    shared,  ///< between processes, besides
  };

  std::chrono::nanoseconds at_most;
  where kept;

  constexpr explicit cached(std::chrono::nanoseconds age, where its_place = where::this_process)
      : at_most(age), kept(its_place) {}
};

}  // namespace autoshard
