#pragma once

#include "strategy.h"

/// What strategies with numbered records do alike.
namespace autoshard::detail {

/// `Strategy::fold` and `Strategy::state` of records that count as long as they have the epoch of today.
PartState fold_of_epoch(const StoredProperty& stored, const PartRecord& record, void* value);
PartState state_of_epoch(const StoredProperty& stored, const PartRecord& record);

/// Whether the store is to fold updates of the property. Where the number of shards follows the conflicts
/// that updates meet, they have to meet them.
bool is_folded_by_store(const Staging& staging);

/// Stages a part that is folded into the record with the key in `write`: by the store if it can, and
/// otherwise with what the transaction reads there.
void fold_into_record(Staging& staging, StagedWrites::Write& write, const void* part);

/// Stages a value that is folded into the record of this key, if it is no neutral one.
void fold_into_record(UpdatedEntity& entity, std::size_t place, const std::string& key, const void* value,
                      StagedWrites& writes);

}  // namespace autoshard::detail
