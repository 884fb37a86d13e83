#include "merged_cursor.h"

#include <algorithm>
#include <utility>

#include "check.h"

namespace autoshard::detail {

MergedCursor::MergedCursor(const Snapshot& snapshot, const std::vector<std::string>& prefixes,
                           std::string_view begin, std::string_view end, Direction direction)
    : direction_(direction) {
  for (std::size_t range = 0; range < prefixes.size(); ++range) {
    const std::string& prefix = prefixes[range];
    std::unique_ptr<Cursor> cursor =
        snapshot.scan(prefix + std::string(begin), prefix + std::string(end), direction);
    if (cursor->valid()) heap_.push_back({std::move(cursor), prefix.size(), range});
  }
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](const Range& one, const Range& other) { return comes_later(one, other); });
}

void MergedCursor::next() {
  const auto later = [this](const Range& one, const Range& other) { return comes_later(one, other); };
  AUTOSHARD_CHECK(!heap_.empty());
  std::pop_heap(heap_.begin(), heap_.end(), later);
  std::string before;  // for a check
  if constexpr (kChecks) before = suffix(heap_.back());
  heap_.back().cursor->next();
  AUTOSHARD_CHECK(
      !heap_.back().cursor->valid() ||
          (direction_ == Direction::kForward ? before < suffix(heap_.back()) : before > suffix(heap_.back())),
      {"before", before});
  if (heap_.back().cursor->valid()) {
    std::push_heap(heap_.begin(), heap_.end(), later);
  } else {
    heap_.pop_back();
  }
}

bool MergedCursor::comes_later(const Range& one, const Range& other) const {
  const int order = suffix(one).compare(suffix(other));
  if (order == 0) return one.range > other.range;
  return direction_ == Direction::kForward ? order > 0 : order < 0;
}

}  // namespace autoshard::detail
