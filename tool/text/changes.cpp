#include "tool/text/changes.h"

#include <algorithm>
#include <stdexcept>

namespace autoshard::tool {

void for_each_part(std::string_view text, std::vector<Change> changes,
                   const std::function<void(std::uint32_t begin, std::uint32_t end)>& copy,
                   const std::function<void(const Change&)>& insert) {
  std::ranges::stable_sort(changes, {}, [](const Change& change) { return change.edit.span.begin; });
  std::uint32_t position = 0;
  for (const Change& change : changes) {
    const Span& span = change.edit.span;
    if (span.begin < position) {
      if (span.end <= position) continue;
      throw std::logic_error("two edits overlap at byte " + std::to_string(span.begin));
    }
    copy(position, span.begin);
    insert(change);
    position = span.end;
  }
  copy(position, static_cast<std::uint32_t>(text.size()));
}

EditedText apply_changes(std::string_view text, std::vector<Change> changes) {
  EditedText result;
  const auto copy = [&](std::uint32_t begin, std::uint32_t end) {
    result.text += text.substr(begin, end - begin);
  };
  for_each_part(text, std::move(changes), copy, [&](const Change& change) {
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    result.text += change.edit.text;
    if (!change.format) return;
    // The last newline is not formatted here: it belongs to the user's next line.
    const auto end = static_cast<std::uint32_t>(result.text.size());
    result.unformatted.push_back({begin, change.edit.text.ends_with('\n') ? end - 1 : end});
  });
  return result;
}

}  // namespace autoshard::tool
