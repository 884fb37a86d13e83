#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace autoshard::mysql_store {

/// What a table's keys can be; foreign keys need some bytes more in an index.
inline constexpr std::size_t kLongestKey = 3'000;

/// The `max_allowed_packet` of a server that the store can use.
inline constexpr std::size_t kLeastPacket = 64 << 10;

/// The most keys of one statement, which has 65,535 parameters at most, and the most bytes of them. A
/// statement with one key may exceed the latter.
inline constexpr std::size_t kMostKeys = 256, kMostKeyBytes = 32 << 10;

/// Calls `use` with one part of the items after the other. Each has `kMostKeys` at most, and `bytes` by
/// `size_of`, unless one item has more.
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
