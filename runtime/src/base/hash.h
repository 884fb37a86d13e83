#pragma once

#include <cstdint>
#include <string_view>

namespace autoshard::detail {

/// FNV-1a: the same on every platform and in every version, for stored and exchanged data.
constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char byte : text) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return value;
}

}  // namespace autoshard::detail
