#include "tool/text/template.h"

#include <stdexcept>

namespace autoshard::tool {
namespace {

struct Line {
  std::string text;
  bool only_holes = true;  ///< besides blanks
  bool any_hole = false;
  bool all_empty = true;
};

std::string_view value_of(std::string_view name,
                          std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  for (const auto& [hole, value] : values) {
    if (hole == name) return value;
  }
  throw std::logic_error("no value for the hole $" + std::string(name) + "$");
}

Line fill_line(std::string_view line,
               std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  Line result;
  while (!line.empty()) {
    const std::size_t open = line.find('$');
    const std::string_view before = line.substr(0, open);
    if (before.find_first_not_of(' ') != std::string_view::npos) result.only_holes = false;
    result.text += before;
    if (open == std::string_view::npos) break;
    const std::size_t close = line.find('$', open + 1);
    if (close == std::string_view::npos) throw std::logic_error("a hole is not closed: " + std::string(line));
    const std::string_view value = value_of(line.substr(open + 1, close - open - 1), values);
    result.any_hole = true;
    if (!value.empty()) result.all_empty = false;
    result.text += value;
    line.remove_prefix(close + 1);
  }
  return result;
}

}  // namespace

std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const Line line = fill_line(text.substr(0, end), values);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.any_hole && line.only_holes && line.all_empty) continue;
    result += line.text;
    // A value that fills its line on its own may bring its newline along.
    if (end != std::string_view::npos && !(line.only_holes && line.text.ends_with('\n'))) result += '\n';
  }
  return result;
}

}  // namespace autoshard::tool
