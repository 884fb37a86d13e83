#pragma once

#include <functional>

#include "strategy.h"

/// Functions that strategies with numbered records share.
namespace autoshard::detail {

/// `Strategy::fold` and `Strategy::state` for records that count while they have the present epoch.
void fold_of_epoch(const StoredProperty& stored, const PartRecord& record, void* value, PartState* state);
PartState state_of_epoch(const StoredProperty& stored, const PartRecord& record);

/// Returns whether the store should fold updates of the property. It should not if the number of shards
/// follows the conflicts of updates: then updates must be able to conflict.
bool is_folded_by_store(const Staging& staging);

/// Stages a part to be folded into the record whose key is in `write`. The store folds if it can; otherwise
/// the transaction reads the record and folds. Returns whether the record is new: false if the store
/// folds, because it is not read.
bool fold_into_record(Staging& staging, StagedWrites::Write& write, const void* part);

/// Stages a value to be folded into the record of this key. Does nothing for a neutral value.
void fold_into_record(UpdatedEntity& entity, std::size_t place, const RecordKey& key, const void* value,
                      StagedWrites& writes);

/// Reads records that were found compactable, stages the removal of those that still are, and passes these to
/// `take`. The key is that in `records`; the value is valid during the call. Returns how many there are.
std::size_t take_compactable(const Strategy& strategy, UpdatedEntity& entity, const StoredProperty& property,
                             std::span<const CompactableRecord> records, StagedWrites& writes,
                             const std::function<void(const PartRecord&)>& take);

}  // namespace autoshard::detail
