#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// Two lower-case digits for each byte.
void append_hex(std::string& out, char byte);
std::string to_hex(std::string_view bytes);
/// Returns 16 digits.
std::string to_hex(std::uint64_t number);
/// Empty if `digits` is not a sequence of pairs of such digits.
std::optional<std::string> from_hex(std::string_view digits);

/// Returns the first `longest` bytes as a text for people. An unprintable byte is shown like `\x00`.
std::string printable(std::string_view bytes, std::size_t longest);

}  // namespace autoshard::detail
