#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::detail {

/// A walk over several ranges of a snapshot as one. The order is that of the keys without the prefix of their
/// range, or the reverse; among equal keys, the order of the ranges. Keeps one record of each range in
/// memory. Used by one thread at a time. The snapshot must outlive it.
class MergedCursor {
 public:
  /// Walks, for each prefix, over the records whose keys after the prefix are at least `begin` and below
  /// `end`.
  MergedCursor(const Snapshot& snapshot, const std::vector<std::string>& prefixes, std::string_view begin,
               std::string_view end, Direction direction = Direction::kForward);

  /// As the functions of `Cursor`.
  bool valid() const { return !heap_.empty(); }
  std::string_view key() const { return heap_.front().cursor->key(); }
  std::string_view value() const { return heap_.front().cursor->value(); }
  void next();

  /// The key without the prefix of its range.
  std::string_view suffix() const { return suffix(heap_.front()); }
  /// The index of the prefix of the present record.
  std::size_t range() const { return heap_.front().range; }

 private:
  struct Range {
    std::unique_ptr<Cursor> cursor;
    std::size_t prefix_size;
    std::size_t range;
  };

  static std::string_view suffix(const Range& range) { return range.cursor->key().substr(range.prefix_size); }
  bool comes_later(const Range& one, const Range& other) const;

  const Direction direction_;
  std::vector<Range> heap_;  // the ranges that are not at their end; the range of the next record is first
};

}  // namespace autoshard::detail
