#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database.h"

namespace autoshard {

/// What a transaction did with a key.
struct MySqlAccess {
  bool read = false;
  std::optional<std::uint64_t> version;  // of the record that was read first, if there was one
  bool written = false;
  std::optional<std::string> value;  // that is written; empty: the record is removed
};

using MySqlAccesses = std::map<std::string, MySqlAccess, std::less<>>;

/// Validates what was read and writes, as `Transaction::commit` promises.
CommitOutcome commit(MySqlDatabase& database, const MySqlAccesses& accesses);

}  // namespace autoshard
