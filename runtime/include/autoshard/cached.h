#pragma once

#include <chrono>
#include <cstdint>

namespace autoshard {

/// Asks a load for an entity that may have been read from the store a while ago: `cached{60s}`. It is never
/// older than that, and never without what this mapper has changed itself before the load began.
/// (`cached::where::shared` rests on two clocks for that, see below.)
///
/// With `cached{60s, cached::where::shared}` it may be one that another process has read, if they share a
/// `MapperOptions::cache`; without one, it is as without `shared`. Each age has values of its own there, and
/// one that is changed here is read from the store for as long. A memcached keeps values for whole seconds,
/// so that an age below two is of little use. A mapper that changes
/// tens of thousands of entities within the age reads others from the store too: it remembers 65,536 changes,
/// by hashes.
///
/// How old a value is, the cache tells by forgetting it: time that passes until it has what was read from the
/// store adds to the age, usually less than a millisecond. What arrives there much later, from a process that
/// was stopped, is told by the time of day in it: it is not taken once it is a second older than asked for,
/// nor if it may have been read before this mapper's own last change, as long as the machines' clocks are
/// less than a second apart. A cache that is slow, away or full of something else costs its timeouts, and the
/// load reads the store.
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
