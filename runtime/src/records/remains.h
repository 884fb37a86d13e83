#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "attempts.h"

/// What is left of an erased entity: its shards, and the tombstone where its main record was. Once somebody
/// sees that, no shard of it is written any more, so that they may be removed bit by bit. Wherever that ends,
/// the entity stays erased, and whoever comes next goes on: who erases it again, or creates another one of
/// its id, and compaction.
namespace autoshard::detail {

/// Removed in one transaction, at most, so that none holds more than some kilobytes.
inline constexpr std::size_t kRemainsAtOnce = 256;

/// Removes shards, `at_once` in a transaction or fewer, if there is a tombstone, until fewer than one
/// transaction removes are left: `erase_remains` does the rest. Asks before each batch whether it `goes_on`,
/// if that is not empty. Returns how many are gone.
std::uint64_t thin_remains(CommitContext& context, const std::string& key,
                           const std::function<bool()>& goes_on = {}, std::size_t at_once = kRemainsAtOnce);

/// Erases the shards that are there in a transaction that has seen the tombstone. Returns how many.
std::size_t erase_remains(Store& store, Transaction& transaction, const std::string& key);

/// Removes all, with the tombstone, likewise.
std::uint64_t remove_remains(CommitContext& context, const std::string& key,
                             const std::function<bool()>& goes_on = {});

/// Whether the transaction sees a tombstone.
bool is_buried(Transaction& transaction, const std::string& key);

}  // namespace autoshard::detail
