#include "tool/text/wrap.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

/// The number of characters in a UTF-8 text.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string wrapped(std::string_view text, std::string_view first, std::string_view rest, std::size_t width) {
  std::string result(first);
  std::size_t used = columns(first);
  bool begins_line = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!begins_line && used + 1 + columns(word) > width) {
      result.erase(result.find_last_not_of(' ') + 1);  // more than one blank between words
      result += '\n';
      result += rest;
      used = columns(rest);
      begins_line = true;
    }
    if (!begins_line) {
      result += ' ';
      ++used;
    }
    result += word;
    used += columns(word);
    begins_line = false;
  }
  return result + '\n';
}

}  // namespace autoshard::tool
