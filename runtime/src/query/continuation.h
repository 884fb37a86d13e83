#pragma once

#include <string>
#include <string_view>

/// Continuations: the end of a page as a text that an application keeps and passes back.
namespace autoshard::detail {

/// `question`: the query in words; only the same query can continue from the cursor. `position`: any bytes.
/// `exactly`: distinguishes queries with the same words.
std::string write_continuation(std::string_view question, std::string_view position,
                               std::string_view exactly = {});

/// Returns the position. Throws `InvalidCursor` if the cursor belongs to another query, or is no cursor.
std::string read_continuation(std::string_view question, std::string_view cursor,
                              std::string_view exactly = {});

[[noreturn]] void throw_invalid_cursor(std::string_view question, std::string_view cursor);

}  // namespace autoshard::detail
