#include "edits.h"

#include <algorithm>
#include <utility>

namespace mutants {

void Edits::wrap(std::size_t begin, std::size_t end, std::string before, std::string after) {
  const std::size_t number = edits_.size();
  edits_.push_back({begin, 0, std::move(before), false, end - begin, number});
  edits_.push_back({end, 0, std::move(after), true, end - begin, number});
}

void Edits::replace(std::size_t begin, std::size_t end, std::string by) {
  edits_.push_back({begin, end - begin, std::move(by), false, 0, edits_.size()});
}

/// At one place, ranges end before others begin, the inner ones end first, and the outer ones begin first.
bool Edits::comes_before(const Edit& left, const Edit& right) {
  if (left.place != right.place) return left.place < right.place;
  if (left.closes != right.closes) return left.closes;
  if (left.length != right.length) return (left.length < right.length) == left.closes;
  return (left.number > right.number) == left.closes;
}

std::string Edits::apply(std::string_view text) const {
  std::vector<Edit> sorted = edits_;
  std::sort(sorted.begin(), sorted.end(), comes_before);
  std::string result;
  std::size_t copied = 0;
  for (const Edit& edit : sorted) {
    result += text.substr(copied, edit.place - copied);
    result += edit.text;
    copied = edit.place + edit.removed;
  }
  result += text.substr(copied);
  return result;
}

}  // namespace mutants
