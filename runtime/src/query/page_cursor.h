#pragma once

#include <string>
#include <string_view>

/// Where a page ends, as a text that is handed out and comes back.
namespace autoshard::detail {

/// `question`: in words, what was asked for; no other question can go on from there. `position`: any bytes.
/// `exactly`: what tells the question from others of the same words.
std::string write_cursor(std::string_view question, std::string_view position, std::string_view exactly = {});

/// The position; `InvalidCursor` if it is another question's, or no cursor at all.
std::string read_cursor(std::string_view question, std::string_view cursor, std::string_view exactly = {});

[[noreturn]] void throw_invalid_cursor(std::string_view question, std::string_view cursor);

}  // namespace autoshard::detail
