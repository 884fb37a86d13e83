#pragma once

#include <string_view>

namespace autoshard::test {

/// Takes any bytes for records of every kind, and reads and rewrites them. Nothing but the exception for
/// damaged ones may come of it; what is read without that must be the same after it was written and read
/// again. Aborts otherwise.
void try_record(std::string_view bytes);

/// Likewise for keys of every kind, parts of them, and cursors.
void try_key(std::string_view bytes);

inline void try_bytes(std::string_view bytes) {
  try_record(bytes);
  try_key(bytes);
}

}  // namespace autoshard::test
