#include "tool/rewrite/edits.h"

#include <algorithm>
#include <stdexcept>

namespace autoshard::tool {

EditedText apply_changes(std::string_view text, std::vector<Change> changes) {
  std::ranges::stable_sort(changes, {}, [](const Change& change) { return change.edit.span.begin; });
  EditedText result;
  std::uint32_t position = 0;
  for (const auto& [edit, format] : changes) {
    if (edit.span.begin < position) {
      if (edit.span.end <= position) continue;
      throw std::logic_error("two edits overlap at byte " + std::to_string(edit.span.begin));
    }
    result.text += text.substr(position, edit.span.begin - position);
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    result.text += edit.text;
    if (format) {
      // Without its last newline, whose formatting is that of the user's line behind it.
      const auto end = static_cast<std::uint32_t>(result.text.size());
      result.unformatted.push_back({begin, edit.text.ends_with('\n') ? end - 1 : end});
    }
    position = edit.span.end;
  }
  result.text += text.substr(position);
  return result;
}

}  // namespace autoshard::tool
