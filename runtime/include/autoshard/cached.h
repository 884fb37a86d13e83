#pragma once

#include <chrono>
#include <cstdint>

namespace autoshard {

/// Asks a load for an entity that may have been read from the store some time ago: `cached{60s}`. The entity
/// is never older than that, and always contains the changes that this mapper made before the load began.
/// (`cached::where::shared` relies on two clocks for that, see below.)
///
/// A value of a sliding window is as old as the rest of the entity: buckets do not fall out of a kept copy.
///
/// With `cached{60s, cached::where::shared}` another process may have read the entity, if the two processes
/// share a `MapperOptions::cache`. Without a cache, `shared` has no effect. Each age has values of its own in
/// the cache, and an entity that this mapper changes is read from the store for as long as that age. A
/// memcached keeps values for whole seconds, so ages below two seconds are of little use. A mapper remembers
/// 65,536 changes, by hashes; if it changes tens of thousands of entities within the age, it reads other
/// entities from the store too.
///
/// The cache limits the age of a value by removing it. The time until a value that was read from the store
/// reaches the cache adds to the age; it is usually less than a millisecond. A value that arrives much later,
/// from a process that was stopped, is recognised by the time of day in it. It is refused once it is a second
/// older than the age, and if it may have been read before this mapper's own last change, as long as the
/// machines' clocks differ by less than a second. If the cache is slow, unreachable, or full of other data,
/// the load takes the cache's time-outs and then reads the store.
struct cached {
  enum class where : std::uint8_t {
    this_process,
    shared,  ///< between processes too
  };

  std::chrono::nanoseconds at_most;
  where kept;

  constexpr explicit cached(std::chrono::nanoseconds age, where its_place = where::this_process)
      : at_most(age), kept(its_place) {}
};

}  // namespace autoshard
