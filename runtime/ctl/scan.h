#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>
#include <string_view>

namespace autoshard::ctl {

/// No key of AutoShard begins with FF, so only foreign keys that begin with many of them lie beyond.
inline std::string beyond_all_keys() { return std::string(256, '\xFF'); }

/// Returns whether the key is one of those that are reserved for the store.
inline bool is_reserved(std::string_view key) { return key.starts_with(std::string_view("\0\0", 2)); }

/// Calls `visit(key, value)` for each record of a snapshot whose key begins with `prefix`, in the order of
/// the keys, until it returns false.
template <class Visit>
void for_each_record(const Snapshot& snapshot, std::string_view prefix, Visit visit) {
  const std::string end = std::string(prefix) + beyond_all_keys();
  for (const std::unique_ptr<Cursor> cursor = snapshot.scan(prefix, end); cursor->valid(); cursor->next()) {
    if (!visit(cursor->key(), cursor->value())) return;
  }
}

}  // namespace autoshard::ctl
