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

/// What a mapper has done since it was made.
struct MapperCounters {
  std::uint64_t commits = 0;    ///< store transactions that took effect
  std::uint64_t conflicts = 0;  ///< store transactions that did not, because of another
  std::uint64_t retries = 0;    ///< further attempts of calls, after conflicts
  std::uint64_t resolved = 0;   ///< lost acknowledgements of which was found out what became of the commit
};

}  // namespace autoshard

/// What operators do with a mapper, and applications seldom: numbers of shards, compaction, indexes,
/// statistics. Thread-safe. Each throws what calls of the mapper throw; other errors are named below.
namespace autoshard::admin {

/// Spreads the updates of a sharded property of this entity over `shards` records from now on, whatever its
/// annotation says: `admin::set_shards<Question>(mapper, 42, "votes", 64)`. The number lies in the store, for
/// all processes. 0: each update is a record of its own, as with dynamic sharding; not for properties with
/// bounds. Updates go on meanwhile, nothing is lost or counted twice, and no reader waits. With adaptive
/// sharding the rules go on from there: what the annotation does not allow lasts for a window, what the load
/// does not need until it has been quiet (see `AdaptiveRules`). `NotFound` if there is no such entity;
/// `InvalidUse` for more than `kMostShards`, and for a group.
template <Persisted E>
void set_shards(Mapper& mapper, const typename Traits<E>::Id& id, detail::ShardedName<E> property,
                std::uint32_t shards) {
  detail::set_shards(detail::core_of(mapper), detail::entity_type<E>(),
                     detail::entity_key(Traits<E>::kKind, id), property.place(), shards, true);
}

/// As `set_shards`, but only if there are fewer now.
template <Persisted E>
void increase_shards(Mapper& mapper, const typename Traits<E>::Id& id, detail::ShardedName<E> property,
                     std::uint32_t shards) {
  detail::set_shards(detail::core_of(mapper), detail::entity_type<E>(),
                     detail::entity_key(Traits<E>::kKind, id), property.place(), shards, false);
}

/// How many shards a property of this entity has; `NotFound` if there is no such entity.
template <Persisted E>
std::uint32_t shards(const Mapper& mapper, const typename Traits<E>::Id& id,
                     detail::ShardedName<E> property) {
  return detail::shards(detail::core_of(mapper), detail::entity_type<E>(),
                        detail::entity_key(Traits<E>::kKind, id), property.place());
}

/// Folds the deltas of dynamic sharding into one record, and what `set_shards` and shard_write methods leave
/// behind; removes what an interrupted erase has left. Writers never wait for it, and reads are right
/// throughout. It may be killed, and run in several processes. Returns how many records are gone.
template <Persisted E>
std::uint64_t compact(Mapper& mapper, const typename Traits<E>::Id& id) {
  return detail::compact(detail::core_of(mapper), detail::entity_type<E>(),
                         detail::entity_key(Traits<E>::kKind, id));
}
/// Compacts every entity of a class.
template <Persisted E>
std::uint64_t compact(Mapper& mapper) {
  return detail::compact(detail::core_of(mapper), detail::entity_type<E>());
}
/// Compacts every entity of all classes that this program uses with a mapper. Also removes entities and
/// tokens that have expired, and what writers have left that are gone.
std::uint64_t compact(Mapper& mapper);

/// Brings the indexes of a class to hold the entities that were there before it had them, and removes what is
/// left of indexes that it does not have any more, or had in another form. To be called once after such a
/// change of the class, when all processes that write its entities have the new one. Writers and readers go
/// on meanwhile: until it is done, `Mapper::range` throws `IndexNotBuilt`, and queries do without the index.
/// It may be killed anywhere, called again, and run in several processes. Nobody needs to call it for a class
/// that has had its indexes ever since there were entities. What a record does not have of the indexed
/// members is written into it, as the class of today fills it in. Until a unique index is complete, another
/// entity may take the key of an entity from before it: then one of them has to give it up. Returns how many
/// entities it went through; `NotUnique` where two of them have the same key of a unique index.
///
/// A program may go back to a version of the class without an index. The first write of its mapper gives up
/// the index: queries do without it from then on, in all processes, and `Mapper::range` throws
/// `IndexNotBuilt`. Call `build_indexes` again once only programs write that have the index; while others
/// write, it throws `IndexNotBuilt`. An update of sharded properties by such a program is noticed as well.
template <Persisted E>
std::uint64_t build_indexes(Mapper& mapper) {
  return detail::build_indexes(detail::core_of(mapper), detail::entity_type<E>());
}

/// As `build_indexes`, also of indexes that are complete. For indexes that miss entities without a trace: a
/// program has written them that was built with a release of AutoShard that had no `rebuild_indexes`, and
/// with a version of the class that did not have the index.
template <Persisted E>
std::uint64_t rebuild_indexes(Mapper& mapper) {
  return detail::rebuild_indexes(detail::core_of(mapper), detail::entity_type<E>());
}

/// Brings the indexes of sharded members to where queries read no entity besides those that are updated
/// meanwhile: an update only makes its entity *dirty*, and a thread of a mapper in a program that uses the
/// class puts it into its new place within the index's staleness, and `MapperOptions::compact_every`. Never
/// changes an answer. No writer waits for it longer than one attempt. It may be killed anywhere, and run in
/// several processes. Returns how many entities are not dirty any more.
template <Persisted E>
std::uint64_t refresh_indexes(Mapper& mapper) {
  return detail::refresh_indexes(detail::core_of(mapper), detail::entity_type<E>());
}
/// Refreshes the indexes of all classes that this program uses with a mapper.
std::uint64_t refresh_indexes(Mapper& mapper);

/// Properties that are not sharded and should be, by the conflicts of the last ten windows or so
/// (`AdaptiveRules::window`), the worst first.
std::vector<HotSpot> hot_spots(const Mapper& mapper);

/// Ends a window of statistics, and does what the rules for adaptive properties say. For those who set
/// `AdaptiveRules::window` to 0, and for tests: else a thread of the mapper does it. Any number of threads
/// may; one that is at most a millisecond later than the last (or even earlier) does nothing.
void adapt(Mapper& mapper, std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

MapperCounters counters(const Mapper& mapper);

}  // namespace autoshard::admin
