#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace autoshard::mysql_store {

/// The longest key, in bytes. An index of a foreign key needs some bytes more.
inline constexpr std::size_t kLongestKey = 3'000;

/// The least `max_allowed_packet` of a server that the store can use.
inline constexpr std::size_t kLeastPacket = 64 << 10;

/// The most keys of one statement, and the most bytes of all its keys. A statement with one key may have more
/// bytes. A server takes 65,535 parameters at most.
inline constexpr std::size_t kMostKeys = 256, kMostKeyBytes = 32 << 10;

/// Divides the items into parts, and calls `use` with one part after the other. A part has `kMostKeys` items
/// at most. The items of a part have `bytes` bytes at most, as `size_of` counts them, unless the part is a
/// single item.
template <class Item, class SizeOf, class Use>
void in_parts(std::span<const Item> items, std::size_t bytes, const SizeOf& size_of, const Use& use) {
  while (!items.empty()) {
    std::size_t number = 1, sum = size_of(items.front());
    for (; number < std::min(items.size(), kMostKeys); ++number) {
      const std::size_t next = size_of(items[number]);
      if (next > bytes || sum > bytes - next) break;
      sum += next;
    }
    use(items.first(number));
    items = items.subspan(number);
  }
}

}  // namespace autoshard::mysql_store
