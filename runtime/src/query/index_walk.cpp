#include "index_walk.h"

#include <algorithm>
#include <utility>

#include "keys.h"

namespace autoshard::detail {
namespace {

/// Returns the least text above `bytes`.
std::string above(std::string bytes) {
  bytes.push_back('\0');
  return bytes;
}

}  // namespace

IndexWalk::IndexWalk(const Snapshot& snapshot, const EntityIndex& index, std::vector<IdRange> ranges,
                     WalkOrder order, const std::optional<EntryPosition>& behind)
    : snapshot_(snapshot),
      index_(index),
      order_(order),
      prefixes_(index.entry_prefixes()),
      ranges_(std::move(ranges)) {
  for (IdRange& range : ranges_) range.begin = std::max(range.begin, above({}));  // skips the state record
  if (behind) skip_to(*behind);
  if (order == WalkOrder::kForward) std::reverse(ranges_.begin(), ranges_.end());
}

/// Restricts the ranges to the entries after this one in the direction of the walk.
void IndexWalk::skip_to(const EntryPosition& behind) {
  const std::string entry = behind.values + (index_.has_ids_in_keys() ? behind.id : std::string());
  std::vector<IdRange> left;
  for (IdRange& range : ranges_) {
    if (order_ == WalkOrder::kForward) {
      range.begin = std::max(range.begin, above(entry));
    } else if (order_ == WalkOrder::kBackward) {
      range.end = std::min(range.end, entry);
    } else {  // the remaining entries with the same values come first
      IdRange rest = {std::max(range.begin, above(entry)), std::min(range.end, end_key(behind.values))};
      range.end = std::min(range.end, behind.values);
      if (range.begin < range.end) left.push_back(range);
      if (rest.begin < rest.end) left.push_back(std::move(rest));
      continue;
    }
    if (range.begin < range.end) left.push_back(range);
  }
  ranges_ = std::move(left);
}

bool IndexWalk::next() {
  if (cursor_) cursor_->next();
  while (!cursor_ || !cursor_->valid()) {
    if (!(order_ == WalkOrder::kBackwardByValues ? open_values() : open_range())) return false;
  }
  const std::string_view suffix = cursor_->suffix();
  entity_key_ = index_.entity_of(cursor_->key(), suffix, cursor_->value());
  values_ = suffix.substr(0, index_.size_of_values(suffix));
  return true;
}

/// Returns false if no range is left.
bool IndexWalk::open_range() {
  if (ranges_.empty()) return false;
  const IdRange range = std::move(ranges_.back());
  ranges_.pop_back();
  cursor_.emplace(snapshot_, prefixes_, range.begin, range.end,
                  order_ == WalkOrder::kForward ? Direction::kForward : Direction::kBackward);
  return true;
}

/// Opens the entries of the greatest values that are left: found from the end, and walked upwards.
bool IndexWalk::open_values() {
  while (!ranges_.empty()) {
    IdRange& range = ranges_.back();
    const MergedCursor greatest(snapshot_, prefixes_, range.begin, range.end, Direction::kBackward);
    if (!greatest.valid()) {
      ranges_.pop_back();
      continue;
    }
    const std::string_view suffix = greatest.suffix();
    std::string values(suffix.substr(0, index_.size_of_values(suffix)));
    cursor_.emplace(snapshot_, prefixes_, std::max(range.begin, values),
                    std::min(range.end, end_key(values)));
    range.end = std::move(values);
    return true;
  }
  return false;
}

}  // namespace autoshard::detail
