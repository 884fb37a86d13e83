#pragma once

#include <autoshard/detail/entity_key.h>
#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "attempts.h"

/// What an erase leaves until it is finished: the entity's shards, and the tombstone in place of its main
/// record. Once a transaction sees the tombstone, no shard of the entity is written any more, so the shards
/// may be removed in several steps. If that is interrupted, the entity stays erased, and a later caller
/// continues: another erase, the creation of another entity of its id, or compaction.
namespace autoshard::detail {

/// The largest number of records removed in one transaction, so that a transaction holds only some kilobytes.
inline constexpr std::size_t kErasedAtOnce = 256;

/// If there is a tombstone, removes shards, at most `at_once` in a transaction, until fewer than one
/// transaction removes are left. `delete_shards` does the rest. Calls `goes_on`, unless empty, before each
/// batch, and stops if it returns false. Returns the number of records removed.
std::uint64_t delete_most_shards(CommitContext& context, EntityKeyView key,
                                 const std::function<bool()>& goes_on = {},
                                 std::size_t at_once = kErasedAtOnce);

/// Deletes the remaining shards in a transaction that has seen the tombstone. Returns their number.
std::size_t delete_shards(Store& store, Transaction& transaction, EntityKeyView key);

/// Deletes the shards and then the tombstone. `goes_on` and the result are those of `delete_most_shards`.
std::uint64_t finish_erase(CommitContext& context, EntityKeyView key,
                           const std::function<bool()>& goes_on = {});

/// Returns whether the transaction sees a tombstone.
bool has_tombstone(Transaction& transaction, EntityKeyView key);

}  // namespace autoshard::detail
