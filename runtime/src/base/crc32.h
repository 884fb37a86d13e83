#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace autoshard::detail {

inline constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320 : value >> 1;
    table[byte] = value;
  }
  return table;
}();

/// The checksum of IEEE 802.3. Index records depend on it: see runtime/FORMAT.md.
constexpr std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFF;
  for (const char byte : bytes)
    value = value >> 8 ^ kCrcTable[(value ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~value;
}

}  // namespace autoshard::detail
