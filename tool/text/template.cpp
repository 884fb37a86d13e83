#include "tool/text/template.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace autoshard::tool {
namespace {

using Holes = std::span<const std::pair<std::string_view, std::string_view>>;
using Loops = std::span<const std::pair<std::string_view, Rounds>>;

std::string_view next_line(std::string_view text) {
  const std::size_t newline = text.find('\n');
  return text.substr(0, newline == std::string_view::npos ? text.size() : newline + 1);
}

/// Returns the words between the `$`s of a line such as `$for property$`; empty for other lines.
std::string_view directive(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  const std::size_t last = line.find_last_not_of(" \n");
  if (first == std::string_view::npos || first == last || line[first] != '$' || line[last] != '$') return {};
  const std::string_view words = line.substr(first + 1, last - first - 1);
  const bool is_one = words == "end" || words.starts_with("for ") || words.starts_with("if ");
  return is_one ? words : std::string_view();
}

class Filler {
 public:
  Filler(Holes holes, Loops loops) : holes_(holes), loops_(loops) {}

  std::string run(std::string_view text) && {
    if (text.starts_with('\n')) text.remove_prefix(1);
    fill_lines(text, nullptr);
    return std::move(result_);
  }

 private:
  void fill_lines(std::string_view text, const Round* round) {
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      text.remove_prefix(line.size());
      const std::string_view words = directive(line);
      if (words.empty()) {
        fill_line(line, round);
        continue;
      }
      const std::string_view body = text.substr(0, end_of_body(text));
      text.remove_prefix(body.size());
      text.remove_prefix(next_line(text).size());
      const std::string_view name = words.substr(words.find(' ') + 1);
      if (words.starts_with("for ")) {
        for (const Round& each : rounds_of(name)) fill_lines(body, &each);
      } else if (is_any(name, round)) {
        fill_lines(body, round);
      }
    }
  }

  /// Returns the offset of the line `$end$` of the body at the begin of `text`.
  static std::size_t end_of_body(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view line = next_line(text.substr(at));
      const std::string_view words = directive(line);
      if (words == "end" && depth-- == 0) return at;
      if (!words.empty() && words != "end") ++depth;
      at += line.size();
    }
    throw std::logic_error("a template lacks an $end$");
  }

  void fill_line(std::string_view line, const Round* round) {
    const bool ends = line.ends_with('\n');
    if (ends) line.remove_suffix(1);
    std::string text;
    bool only_holes = true;  // ignoring blanks
    bool any_hole = false;
    bool all_empty = true;
    while (!line.empty()) {
      const std::size_t open = line.find('$');
      const std::string_view before = line.substr(0, open);
      if (before.find_first_not_of(' ') != std::string_view::npos) only_holes = false;
      text += before;
      if (open == std::string_view::npos) break;
      const std::size_t close = line.find('$', open + 1);
      if (close == std::string_view::npos)
        throw std::logic_error("a hole is not closed: " + std::string(line));
      const std::string_view value = value_of(line.substr(open + 1, close - open - 1), round);
      any_hole = true;
      if (!value.empty()) all_empty = false;
      text += value;
      line.remove_prefix(close + 1);
    }
    if (any_hole && only_holes && all_empty) return;
    result_ += text;
    // A value that fills its line alone may end in a newline, which replaces the newline of the line.
    if (ends && !(only_holes && text.ends_with('\n'))) result_ += '\n';
  }

  std::string_view value_of(std::string_view name, const Round* round) const {
    if (round) {
      const auto found = std::ranges::find(*round, name, &Round::value_type::first);
      if (found != round->end()) return found->second;
    }
    for (const auto& [hole, value] : holes_) {
      if (hole == name) return value;
    }
    throw std::logic_error("no value for the hole $" + std::string(name) + "$");
  }

  const Rounds& rounds_of(std::string_view name) const {
    for (const auto& [loop, rounds] : loops_) {
      if (loop == name) return rounds;
    }
    throw std::logic_error("no rounds for the loop " + std::string(name));
  }

  bool is_any(std::string_view name, const Round* round) const {
    for (const auto& [loop, rounds] : loops_) {
      if (loop == name) return !rounds.empty();
    }
    return !value_of(name, round).empty();
  }

  Holes holes_;
  Loops loops_;
  std::string result_;
};

}  // namespace

std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> holes,
                 std::initializer_list<std::pair<std::string_view, Rounds>> loops) {
  return Filler({holes.begin(), holes.size()}, {loops.begin(), loops.size()}).run(text);
}

}  // namespace autoshard::tool
