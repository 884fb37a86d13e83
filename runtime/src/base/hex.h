#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// Two digits for each byte, in lower case.
void append_hex(std::string& out, char byte);
std::string to_hex(std::string_view bytes);
/// 16 digits.
std::string to_hex(std::uint64_t number);
/// Empty if these are no such digits.
std::optional<std::string> from_hex(std::string_view digits);

/// The first `longest` bytes of a text for people: a byte that is no printable character as `\x00`.
std::string printable(std::string_view bytes, std::size_t longest);

}  // namespace autoshard::detail
