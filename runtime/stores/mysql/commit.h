#pragma once

#include <autoshard/store.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database.h"

namespace autoshard::mysql_store {

/// A fold of integers, and the limits of its result.
struct FoldWithin {
  Fold fold;
  std::int64_t least, most;

  auto operator<=>(const FoldWithin&) const = default;
};

/// How a transaction has accessed a key.
struct Access {
  bool read = false;
  std::optional<std::uint64_t> version;  // of the record at the first read, if there was one
  bool written = false;
  std::optional<std::string> value;  // the written value; empty: the record is removed
  /// Folds `value` into the record, if there is one. The record is not validated.
  std::optional<FoldWithin> fold = {};
};

using Accesses = std::map<std::string, Access, std::less<>>;

/// Validates the reads and makes the writes, as `Transaction::commit` promises.
CommitOutcome commit(Database& database, const Accesses& accesses);

}  // namespace autoshard::mysql_store
