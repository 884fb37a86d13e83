#pragma once

#include <autoshard/detail/entity_key.h>

#include <atomic>
#include <utility>

#include "commit_context.h"
#include "compactable_entities.h"
#include "index_states.h"
#include "observation.h"
#include "outage_log.h"
#include "read_cache.h"
#include "recent_records.h"
#include "shared_reads.h"
#include "usage.h"

namespace autoshard::detail {

/// The state that all parts of one mapper share. It outlives them. Thread-safe.
struct MapperContext : CommitContext {
  MapperContext(Store& its_store, MapperOptions its_options)
      : CommitContext(its_store, std::move(its_options)), shared(options.cache, options.log) {}

  /// Must be called once this mapper has changed the entity.
  void note_change(EntityKeyView key) {
    loaded.drop(key);
    shared.note_change(key);
  }

  /// Calls `record` with the statistics that the property counts in: those of the rules, unless its number of
  /// shards is fixed, and those of an observer.
  template <class Record>
  void count_activity(const PropertyRef& property, const Record& record) {
    if (!property.type || property.is_adaptive()) record(usage);
    if (observation.is_on()) record(observation.usage());
  }

  /// Returns whether this mapper has left records that end by the clock of the store.
  bool needs_store_clock() const {
    return leaves_tokens.load(std::memory_order_relaxed) || has_buckets.load(std::memory_order_relaxed);
  }

  IndexStates indexes{*this};
  OutageLog outages{*this};                // of background work that is repeated later
  Usage usage;                             // the activity of properties, for the adaptive rules
  Observation observation;                 // the activity of properties, for an observer
  RecentRecords recent;                    // of entities whose saves conflict
  CompactableEntities compactable;         // entities to compact
  std::atomic<bool> leaves_tokens{false};  // tokens were left, so their expiry has to be handled
  std::atomic<bool> has_buckets{false};    // buckets were compacted, which end by the clock of the store
  ReadCache loaded;                        // cached loads of this process
  SharedReads shared;                      // cached loads of all processes
};

/// Drops the cached state of an entity at the end of the scope, also after an exception.
class InvalidateOnExit {
 public:
  InvalidateOnExit(MapperContext& context, EntityKeyView key) : context_(context), key_(key) {}
  ~InvalidateOnExit() { context_.note_change(key_); }
  InvalidateOnExit(const InvalidateOnExit&) = delete;
  InvalidateOnExit& operator=(const InvalidateOnExit&) = delete;

 private:
  MapperContext& context_;
  EntityKeyView key_;
};

}  // namespace autoshard::detail
