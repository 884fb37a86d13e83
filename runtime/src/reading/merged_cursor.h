#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::detail {

/// Several ranges of a snapshot as one walk, in the order of what their keys are behind the prefix of their
/// range, or the other way round; of equal ones, the range that was named first comes first. Keeps one record
/// a range in memory, however many they hold. For one thread. The snapshot must outlive it.
class MergedCursor {
 public:
  /// For each prefix, the records whose keys behind it are at least `begin` and below `end`.
  MergedCursor(const Snapshot& snapshot, const std::vector<std::string>& prefixes, std::string_view begin,
               std::string_view end, Direction direction = Direction::kForward);

  /// As those of a `Cursor`.
  bool valid() const { return !heap_.empty(); }
  std::string_view key() const { return heap_.front().cursor->key(); }
  std::string_view value() const { return heap_.front().cursor->value(); }
  void next();

  /// The key without the prefix of its range.
  std::string_view suffix() const { return suffix(heap_.front()); }
  /// Which of the prefixes that is.
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
  std::vector<Range> heap_;  // those that are not at their end; the next record's first
};

}  // namespace autoshard::detail
