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

/// A fold of integers of a type.
struct FoldWithin {
  Fold fold;
  std::int64_t least, most;

  auto operator<=>(const FoldWithin&) const = default;
};

/// What a transaction did with a key.
struct Access {
  bool read = false;
  std::optional<std::uint64_t> version;  // of the record that was read first, if there was one
  bool written = false;
  std::optional<std::string> value;  // that is written; empty: the record is removed
  /// With which `value` is folded if there is a record; that it reads is not validated.
  std::optional<FoldWithin> fold = {};
};

using Accesses = std::map<std::string, Access, std::less<>>;

/// Validates what was read and writes, as `Transaction::commit` promises.
CommitOutcome commit(Database& database, const Accesses& accesses);

}  // namespace autoshard::mysql_store
