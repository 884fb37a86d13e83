#pragma once

#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "check.h"

/// Limits the size of one commit for work that can be divided among several.
namespace autoshard::detail {

/// A commit of this many bytes takes no further items. It is held in memory several times, and others wait
/// for it. Half of the store's limit leaves room for the last item and for the additional writes of each
/// commit.
inline std::size_t most_bytes(const StoreTraits& traits) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  return traits.largest_commit == 0 ? kMost : std::clamp(traits.largest_commit / 2, std::size_t{1}, kMost);
}

/// Records of this many bytes fit in a commit, together with the additional writes of each commit, as far as
/// is known: some stores do not know their largest commit.
inline std::size_t bytes_that_fit(const StoreTraits& traits) {
  return std::min(most_bytes(traits), std::size_t{256} << 10);
}

/// The room that is left in a commit, in items and in bytes. There is always room for one item, and the last
/// item may exceed the bytes that are left.
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

/// Calls `attempt` with all items. If it returns nothing, because the items cannot be committed together,
/// calls it with each half of them, and so on, in their order, down to single items. Returns the sum of the
/// results of `attempt`.
template <class Item, class Attempt>
std::uint64_t in_halves(std::span<Item> items, const Attempt& attempt) {
  if (const std::optional<std::uint64_t> done = attempt(items)) return *done;
  if (items.size() < 2) return 0;
  const std::size_t half = items.size() / 2;
  return in_halves(items.first(half), attempt) + in_halves(items.subspan(half), attempt);
}

/// As `in_halves`, for a `commit` that throws if several items are too large for one commit, or conflict too
/// often. Passes on an exception for a single item.
template <class Item, class Commit>
void commit_in_halves(std::span<Item> items, const Commit& commit) {
  in_halves(items, [&](std::span<Item> some) -> std::optional<std::uint64_t> {
    try {
      commit(some);
      return some.size();
    } catch (const CommitTooLarge&) {
      if (some.size() < 2) throw;
    } catch (const Contention&) {
      if (some.size() < 2) throw;
    }
    return std::nullopt;
  });
}

}  // namespace autoshard::detail
