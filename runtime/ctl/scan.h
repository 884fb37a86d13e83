#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>
#include <string_view>

namespace autoshard::ctl {

/// Calls `visit(key, value)` for each record of a snapshot whose key begins with `prefix`, in the order of
/// the keys, until it returns false.
template <class Visit>
void for_each_record(const Snapshot& snapshot, std::string_view prefix, Visit visit) {
  // No key of AutoShard begins with FF, so foreign keys that begin with many of them are the only ones left
  // out.
  constexpr std::size_t kBeyond = 256;
  const std::string end = prefix.empty() ? std::string(kBeyond, '\xFF') : std::string(prefix) + '\xFF';
  for (const std::unique_ptr<Cursor> cursor = snapshot.scan(prefix, end); cursor->valid(); cursor->next()) {
    if (!visit(cursor->key(), cursor->value())) return;
  }
}

}  // namespace autoshard::ctl
