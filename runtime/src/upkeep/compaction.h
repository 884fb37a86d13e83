#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <functional>
#include <string>

#include "context.h"

namespace autoshard::detail {

/// Folds those records of an entity into one that no update of this version of the class is added to any
/// more: deltas, shards beyond the number that there is today, what lies under former names, and what a
/// replacement has voided. A batch of them a transaction, so that a crash between any two steps leaves the
/// value as it is, and writers are met at most where they add to the same shard. Completes an erase that was
/// cut short. Returns how many records are gone; 0 if there is no such entity. Once many are, by this and
/// earlier compactions, it has the store tidy up. Asks before each batch whether it `goes_on`, if that is not
/// empty; else the rest is left. Records that make a commit too large stay as they are; `left` is set to the
/// reason then, which is logged if `left` is null.
std::uint64_t compact(MapperContext& context, const EntityType& type, const std::string& key,
                      const std::function<bool()>& goes_on = {}, std::string* left = nullptr);

/// What became of a compaction that may fail.
struct CompactionResult {
  std::string failure{};  ///< why the entity is not compacted, in a sentence for the log; empty: it is
  bool made_progress = false;
};

/// As `compact`, for callers that go on with other work: of errors it throws only `StoreUnavailable`.
CompactionResult try_to_compact(MapperContext& context, const EntityType& type, const std::string& key,
                                const std::function<bool()>& goes_on);

/// Likewise for every entity of the kind that has such records.
std::uint64_t compact_kind(MapperContext& context, const EntityType& type);

}  // namespace autoshard::detail
