#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <atomic>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "adaptive/usage.h"
#include "checks/check.h"
#include "checks/checked_store.h"
#include "loose_entities.h"
#include "read_cache.h"
#include "recent_records.h"
#include "removals.h"
#include "shared_reads.h"
#include "writer.h"

namespace autoshard::detail {

/// What all parts of one mapper work with. It outlives them. Thread-safe.
struct MapperContext {
  MapperContext(Store& its_store, MapperOptions its_options)
      : store(its_store),
        options(std::move(its_options)),
        writers(store, options.retry),
        shared(options.cache, options.log) {}

  /// To be called once this mapper has changed the entity.
  void note_change(std::string_view key) {
    loaded.drop(key);
    shared.note_change(key);
  }

  std::conditional_t<kChecks, CheckedStore, Store&> store;
  const MapperOptions options;
  Writers writers;
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> conflicts{0};
  std::atomic<std::uint64_t> retries{0};
  Usage usage;                             // what happened to which property
  RecentRecords recent;                    // of entities whose saves meet conflicts
  LooseEntities loose;                     // to be compacted
  Removals removals;                       // by compaction
  std::atomic<bool> leaves_tokens{false};  // whose expiry is to be seen to
  ReadCache loaded;                        // cached loads of this process
  SharedReads shared;                      // cached loads of all processes
};

}  // namespace autoshard::detail
