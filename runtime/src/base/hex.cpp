#include "hex.h"

namespace autoshard::detail {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

void append_hex(std::string& out, char byte) {
  const auto code = static_cast<unsigned char>(byte);
  out.append({kDigits[code >> 4], kDigits[code & 15]});
}

std::string to_hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) append_hex(digits, byte);
  return digits;
}

std::string to_hex(std::uint64_t number) {
  std::string digits;
  for (int shift = 56; shift >= 0; shift -= 8) append_hex(digits, static_cast<char>(number >> shift));
  return digits;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t upper = kDigits.find(digits[i]), lower = kDigits.find(digits[i + 1]);
    if (upper == kDigits.npos || lower == kDigits.npos) return std::nullopt;
    bytes.push_back(static_cast<char>(upper << 4 | lower));
  }
  return bytes;
}

std::string printable(std::string_view bytes, std::size_t longest) {
  std::string out;
  for (const char byte : bytes.substr(0, longest)) {
    if (byte >= 0x20 && byte < 0x7F && byte != '\\') {
      out.push_back(byte);
    } else {
      append_hex(out.append("\\x"), byte);
    }
  }
  if (bytes.size() > longest) out.append("...");
  return out;
}

}  // namespace autoshard::detail
