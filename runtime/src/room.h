#pragma once

#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "checks/check.h"

/// How much goes into one commit of what can be divided among several.
namespace autoshard::detail {

/// A commit that writes so many bytes takes no more. It is held in memory several times, and others wait for
/// it. Half of what the store takes leaves room for the last item, and for what each commit writes besides.
inline std::size_t most_bytes(const StoreTraits& traits) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  return traits.largest_commit == 0 ? kMost : std::clamp(traits.largest_commit / 2, std::size_t{1}, kMost);
}

/// The room that is left in a commit, for items and for bytes. There is always room for one item, and the
/// last one may have more bytes than are left.
class Room {
 public:
  Room(const StoreTraits& traits, std::size_t items) : bytes_(most_bytes(traits)), items_(items) {}

  bool is_left() const { return items_ > 0 && bytes_ > 0; }
  void take(std::size_t bytes) {
    AUTOSHARD_CHECK(is_left(), {"items", items_}, {"bytes", bytes_});
    --items_;
    bytes_ -= std::min(bytes_, bytes);
  }

 private:
  std::size_t bytes_, items_;
};

/// Calls `commit` with all items. If that is too large for the store, calls it with each half of them, and so
/// on, in their order. Throws `CommitTooLarge` if one item alone is too large.
template <class Item, class Commit>
void commit_in_parts(std::span<Item> items, const Commit& commit) {
  try {
    return commit(items);
  } catch (const CommitTooLarge&) {
    if (items.size() < 2) throw;
  }
  commit_in_parts(items.first(items.size() / 2), commit);
  commit_in_parts(items.subspan(items.size() / 2), commit);
}

}  // namespace autoshard::detail
