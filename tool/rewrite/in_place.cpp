#include "tool/rewrite/in_place.h"

#include <algorithm>

#include "tool/emit/origin.h"

namespace autoshard::tool {
namespace {

constexpr std::string_view kBlanks = " \t";

/// Indents each line of `text` by the braces before it.
std::string indented(std::string_view text, std::size_t depth) {
  std::string result;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const bool is_label = depth > 0 && (line == "public:" || line == "private:");
    if (line.starts_with('}') && depth > 0) --depth;
    if (!line.empty()) result += std::string(depth * 2 - (is_label ? 1 : 0), ' ');
    result += line;
    const auto opened = static_cast<std::size_t>(std::ranges::count(line, '{'));
    const auto closed =
        static_cast<std::size_t>(std::ranges::count(line, '}')) - (line.starts_with('}') ? 1 : 0);
    depth = std::max(depth + opened, closed) - closed;
    if (newline == std::string_view::npos) break;
    result += '\n';
    text.remove_prefix(newline + 1);
  }
  return result;
}

class Writer {
 public:
  explicit Writer(std::string_view source) : source_(source) {
    for (std::size_t at = 0; at < source.size(); ++at) {
      if (source[at] == '\n') line_begins_.push_back(static_cast<std::uint32_t>(at + 1));
    }
  }

  /// Copies the user's text from `begin` to `end`, to its original column.
  void copy(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    const std::uint32_t line = line_of(begin);
    const std::size_t wanted = begin - line_begins_[line - 1];
    const bool is_end_of_line = source_[begin] == '\n' || source_[begin] == '\r';
    if (column() > wanted && !is_end_of_line) break_line();
    stand_for(line);
    if (column() < wanted && !is_end_of_line) append(std::string(wanted - column(), ' '));
    append(source_.substr(begin, end - begin));
  }

  void insert(const Change& change) {
    const std::string text = change.format ? indented(change.edit.text, change.depth) : change.edit.text;
    std::uint32_t line = line_of(change.edit.span.begin);
    std::string_view rest = text;
    while (!rest.empty()) {
      if (const auto mark = origin_mark(rest)) {
        if (mark->end) copy(mark->begin, *mark->end);
        if (!mark->end) line = line_of(mark->begin);
        rest.remove_prefix(mark->size);
        continue;
      }
      const std::string_view part = rest.substr(0, part_size(rest));
      rest.remove_prefix(part.size());
      // The head of a function gets the line of the body that the user wrote.
      const auto next = origin_mark(rest);
      if (part != "\n") stand_for(next && next->end ? line_of(next->begin) : line);
      append(part);
    }
  }

  InPlaceText take() && { return std::move(result_); }

 private:
  /// The size of the text up to the next mark, or including the end of the line.
  static std::size_t part_size(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') return at + 1;
      if (at > 0 && origin_mark(text.substr(at))) return at;
    }
    return text.size();
  }

  std::uint32_t line_of(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(line_begins_, offset) - line_begins_.begin());
  }

  std::size_t column() const { return result_.text.size() - column_begin_; }

  /// Maps the text that is appended next to `line` of the source.
  void stand_for(std::uint32_t line) {
    if (line_ == line) return;
    line_ = line;
    const auto offset = static_cast<std::uint32_t>(result_.text.size());
    if (!result_.notes.empty() && result_.notes.back().offset == offset) result_.notes.pop_back();
    result_.notes.push_back({offset, line});
  }

  void break_line() {
    const std::size_t kept = result_.text.find_last_not_of(' ') + 1;
    if (result_.notes.empty() || result_.notes.back().offset <= kept) result_.text.resize(kept);
    append("\n");
  }

  void append(std::string_view text) {
    result_.text += text;
    line_ += static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
    if (const std::size_t newline = text.rfind('\n'); newline != std::string_view::npos)
      column_begin_ = result_.text.size() - (text.size() - newline - 1);
  }

  std::string_view source_;
  std::vector<std::uint32_t> line_begins_{0};
  InPlaceText result_;
  std::uint32_t line_ = 1;  ///< the source line of the end of the result
  std::size_t column_begin_ = 0;
};

}  // namespace

InPlaceText apply_in_place(std::string_view text, std::vector<Change> changes) {
  Writer writer(text);
  for_each_part(
      text, std::move(changes), [&](std::uint32_t begin, std::uint32_t end) { writer.copy(begin, end); },
      [&](const Change& change) { writer.insert(change); });
  return std::move(writer).take();
}

}  // namespace autoshard::tool
