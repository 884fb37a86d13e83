#pragma once

#include <autoshard/adaptive.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/id.h>
#include <autoshard/detail/operations.h>
#include <autoshard/generated.h>
#include <autoshard/mapper.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace autoshard {

/// Counts of the mapper's work since its construction.
struct MapperCounters {
  std::uint64_t commits = 0;    ///< transactions of the store that took effect
  std::uint64_t conflicts = 0;  ///< transactions of the store that another one kept from taking effect
  std::uint64_t retries = 0;    ///< repeated attempts of calls after conflicts
  std::uint64_t resolved = 0;   ///< commits whose acknowledgement was lost and whose outcome was found out
};

}  // namespace autoshard

/// Administration of a mapper: numbers of shards, compaction, indexes, statistics. Operators call these
/// functions, applications seldom do. Thread-safe. Each may throw what every call of a mapper may throw; its
/// comment names further errors.
namespace autoshard::admin {

/// Spreads the updates of a sharded property of this entity over `shards` records from now on, whatever its
/// annotation says: `admin::set_shards<Question>(mapper, 42, "votes", 64)`. The number is kept in the store
/// and holds for all processes. 0 makes each update a record of its own, as with dynamic sharding; properties
/// with bounds and windows do not allow it. Updates go on meanwhile, nothing is lost or counted twice, and no
/// reader waits.
///
/// With adaptive sharding the rules continue from this number. A number that the annotation does not allow
/// lasts for one window. A number that the load does not need lasts until the load has been quiet (see
/// `AdaptiveRules`). `NotFound` if there is no such entity; `InvalidUse` for more than `kMostShards`, for
/// 0 where it is not allowed, and for a group.
template <Persisted E>
void set_shards(Mapper& mapper, const typename Traits<E>::Id& id, detail::ShardedName<E> property,
                std::uint32_t shards) {
  detail::set_shards(detail::core_of(mapper), detail::entity_type<E>(),
                     detail::entity_key(Traits<E>::kKind, id), property.place(), shards, true);
}

/// As `set_shards`, but does nothing if the property has at least `shards` shards.
template <Persisted E>
void increase_shards(Mapper& mapper, const typename Traits<E>::Id& id, detail::ShardedName<E> property,
                     std::uint32_t shards) {
  detail::set_shards(detail::core_of(mapper), detail::entity_type<E>(),
                     detail::entity_key(Traits<E>::kKind, id), property.place(), shards, false);
}

/// Returns the number of shards of the property; 0: each update is a record of its own. `NotFound` if there
/// is no such entity.
template <Persisted E>
std::uint32_t shards(const Mapper& mapper, const typename Traits<E>::Id& id,
                     detail::ShardedName<E> property) {
  return detail::shards(detail::core_of(mapper), detail::entity_type<E>(),
                        detail::entity_key(Traits<E>::kKind, id), property.place());
}

/// Folds the deltas of dynamic sharding into one record, and does the same with the records that
/// `set_shards` and shard_write methods leave behind. Also removes the records that an interrupted erase
/// left, and the buckets that have left their window: the first call marks them, and one that comes later
/// than the span of the window removes them. Returns the number of records removed. A writer of the same
/// shard is delayed by one attempt at most, and reads are right throughout. May be killed anywhere, and may
/// run in several processes.
template <class E>
std::uint64_t compact(Mapper& mapper, const detail::IdOf<E>& id) {
  detail::needs_companion<E>();
  return detail::compact(detail::core_of(mapper), detail::entity_type<E>(),
                         detail::entity_key(Traits<E>::kKind, id));
}
/// Compacts every entity of a class. If the compaction of an entity fails, compacts the others, and throws
/// the first error at the end; throws `StoreUnavailable` at once.
template <class E>
std::uint64_t compact(Mapper& mapper) {
  detail::needs_companion<E>();
  return detail::compact(detail::core_of(mapper), detail::entity_type<E>());
}
/// Compacts every entity of all classes that this program uses with a mapper. Also removes expired entities
/// and idempotency tokens, and the records of processes that are gone. Returns the number of records removed.
/// An entity whose compaction fails keeps nothing else from being done, as above.
std::uint64_t compact(Mapper& mapper);

/// Completes the indexes of a class. Adds the entities that are older than an index, and removes the
/// entries of indexes that the class no longer has, or had in another form. Returns the number of entities
/// visited. `NotUnique` if two entities have the same key of a unique index.
///
/// Call it once after such a change of the class, when all processes that write its entities run the new
/// version. A class that has had its indexes since its first entity does not need the call. Writers and
/// readers go on meanwhile: until the call is done, `Mapper::range` throws `IndexNotBuilt` and queries do not
/// use the index. The call may be killed anywhere, repeated, and run in several processes. If a main record
/// lacks an indexed member, the member is written into it with the value that the present class gives it.
/// Until a unique index is complete, a writer may take the key of an entity that is older than the index;
/// one of the two then has to give the key up.
///
/// A program may go back to a version of the class without an index. The first write of its mapper gives up
/// the index: from then on, in all processes, queries do not use it and `Mapper::range` throws
/// `IndexNotBuilt`. An update of sharded properties by such a program counts as such a write. Call
/// `build_indexes` again once all programs that write have the index; while others write, the call throws
/// `IndexNotBuilt`.
template <class E>
std::uint64_t build_indexes(Mapper& mapper) {
  detail::needs_companion<E>();
  return detail::build_indexes(detail::core_of(mapper), detail::entity_type<E>());
}

/// As `build_indexes`, but also rebuilds indexes that are complete. Needed if an index lacks entities
/// without a trace. That happens if a program wrote them with a version of the class without the index, and
/// was built with a release of AutoShard that had no `rebuild_indexes`.
template <class E>
std::uint64_t rebuild_indexes(Mapper& mapper) {
  detail::needs_companion<E>();
  return detail::rebuild_indexes(detail::core_of(mapper), detail::entity_type<E>());
}

/// Refreshes the indexes of sharded members. Queries then read, besides the index, only the entities that
/// are updated meanwhile. An update only marks its entity as *dirty*; the maintenance thread of a mapper in
/// a program that uses the class moves the index entry within the index's staleness and
/// `MapperOptions::compact_every`. Never changes an answer. Delays a writer by two attempts at most. May be
/// killed anywhere, and may run in several processes. Returns the number of entities that are no longer
/// dirty.
template <class E>
std::uint64_t refresh_indexes(Mapper& mapper) {
  detail::needs_companion<E>();
  return detail::refresh_indexes(detail::core_of(mapper), detail::entity_type<E>());
}
/// Refreshes the indexes of all classes that this program uses with a mapper.
std::uint64_t refresh_indexes(Mapper& mapper);

/// Returns the properties that should be sharded and are not, the worst first, judged by the conflicts of
/// about the last ten windows (`AdaptiveRules::window`).
std::vector<HotSpot> hot_spots(const Mapper& mapper);

/// Ends a window of statistics and applies the rules for adaptive properties. For tests, and for
/// applications that set `AdaptiveRules::window` to 0; otherwise a thread of the mapper does it.
/// Thread-safe. The call does nothing if `now` is at most a millisecond later than the previous call's, or
/// earlier.
void adapt(Mapper& mapper, std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

/// Returns what the mapper has counted since it was made. Reads four numbers one after the other, so they may
/// belong to slightly different moments. Cheap and thread-safe.
MapperCounters counters(const Mapper& mapper);

}  // namespace autoshard::admin
