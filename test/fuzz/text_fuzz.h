#pragma once

#include <string_view>

namespace autoshard::test {

/// Each takes any bytes for something that comes from outside the process. Nothing but the error that is
/// documented for it may come of it, and what is read without one must be the same after it was written and
/// read again. Aborts otherwise.
void try_order(std::string_view bytes);   ///< two ids, whose keys sort as they do
void try_cursor(std::string_view bytes);  ///< where a page ends
void try_json(std::string_view bytes);    ///< an entity
void try_token(std::string_view bytes);   ///< an idempotency key, and the record of one

}  // namespace autoshard::test
