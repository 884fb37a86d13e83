#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include "context.h"

namespace autoshard::detail {

/// Folds the compactable records of an entity, to which programs of this version of the class add no more
/// updates: deltas, shards beyond the present number, records under former names, and records that a
/// replacement has voided. Completes an erase that was interrupted. Returns the number of records removed; 0
/// if there is no such entity.
///
/// Each transaction folds one batch. So a crash between two steps leaves the value unchanged, and writers
/// conflict at most if they add to the same shard. Calls `goes_on`, unless empty, before each batch, and
/// leaves the rest if it returns false. Records that make a commit too large, or need a key that is too long,
/// stay as they are; `left` is then set to the reason, `CommitTooLarge` or `KeyTooLong`. If `left` is null,
/// the reason is logged.
std::uint64_t compact(MapperContext& context, const EntityType& type, EntityKeyView key,
                      const std::function<bool()>& goes_on = {}, std::exception_ptr* left = nullptr);

/// As `compact`, for the records of one property. Returns why some of them stay as they are; null: none does.
std::exception_ptr compact_property(MapperContext& context, const EntityType& type, EntityKeyView key,
                                    std::size_t place);

/// The result of a compaction that may fail.
struct CompactionResult {
  std::string failure{};  ///< why the entity is not compacted, as a sentence for the log; empty: it is
  bool made_progress = false;
};

/// As `compact`, for callers that continue with other work: the only error that it throws is
/// `StoreUnavailable`.
CompactionResult try_to_compact(MapperContext& context, const EntityType& type, EntityKeyView key,
                                const std::function<bool()>& goes_on);

/// Compacts every entity of the kind that has compactable records. If the compaction of an entity fails,
/// continues with the others, and throws the first error at the end; throws `StoreUnavailable` at once.
std::uint64_t compact_kind(MapperContext& context, const EntityType& type);

}  // namespace autoshard::detail
