#pragma once

#include <string_view>

namespace autoshard::test {

/// Takes any bytes for records of every kind, and reads and rewrites them. Nothing but `CorruptRecord` may
/// come of it; what is read without that must be the same after it was written and read again. Aborts
/// otherwise.
void try_bytes(std::string_view bytes);

}  // namespace autoshard::test
