#include "markdown.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace autoshard::guides {
namespace {

bool is_fence(std::string_view line) { return line.starts_with("```"); }

/// Overwrites code spans, so that their characters are taken for nothing else. A span ends in its paragraph.
std::string without_code(std::string text) {
  for (std::size_t at = 0; (at = text.find('`', at)) != std::string::npos;) {
    std::size_t begin = at;
    while (begin < text.size() && text[begin] == '`') ++begin;
    const std::string ticks = text.substr(at, begin - at);
    const std::size_t paragraph = std::min(text.find("\n\n", begin), text.size());
    const std::size_t end = text.find(ticks, begin);
    if (end == std::string::npos || end > paragraph) {
      at = begin;
      continue;
    }
    for (std::size_t i = at; i < end + ticks.size(); ++i) {
      if (text[i] != '\n') text[i] = 'x';
    }
    at = end + ticks.size();
  }
  return text;
}

/// Returns the anchor that GitHub gives to a heading.
std::string anchor_of(std::string_view heading) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string anchor;
  for (const char c : std::regex_replace(std::string(heading), link, "$1")) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::vector<Heading> headings_of(const std::vector<std::string>& prose) {
  std::vector<Heading> headings;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const std::size_t level = std::min(prose[i].find_first_not_of('#'), prose[i].size());
    if (level == 0 || level > 6 || level == prose[i].size() || prose[i][level] != ' ') continue;
    std::string anchor = anchor_of(trimmed(std::string_view(prose[i]).substr(level)));
    const int before = seen[anchor]++;
    if (before > 0) anchor += "-" + std::to_string(before);
    headings.push_back({i + 1, level, anchor});
  }
  return headings;
}

std::vector<Link> links_of(const std::vector<std::string>& prose) {
  std::string text;
  for (const std::string& line : prose) text += line + '\n';
  text = without_code(std::move(text));
  static const std::regex link(R"(\]\(([^()\s]*(?:\([^()\s]*\))?)\))");
  std::vector<Link> links;
  for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
    const auto before = std::count(text.begin(), text.begin() + found->position(), '\n');
    links.push_back({static_cast<std::size_t>(before) + 1, found->str(1)});
  }
  return links;
}

/// The cells of a row; a bar in code or behind a backslash divides nothing.
std::vector<std::string> cells_of(const std::string& line) {
  std::string masked = without_code(line);
  for (std::size_t at = 0; (at = masked.find("\\|", at)) != std::string::npos; at += 2) masked[at + 1] = 'x';
  std::vector<std::string> cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = std::min(masked.find('|', begin), line.size());
    cells.push_back(trimmed(std::string_view(line).substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

std::vector<Table> tables_of(const std::vector<std::string>& prose) {
  std::vector<Table> tables;
  for (std::size_t i = 0; i + 1 < prose.size(); ++i) {
    if (!prose[i].starts_with('|') || !prose[i + 1].starts_with("|-")) continue;
    Table table{{i + 1, cells_of(prose[i])}, {}};
    for (i += 2; i < prose.size() && prose[i].starts_with('|'); ++i)
      table.rows.push_back({i + 1, cells_of(prose[i])});
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

std::vector<std::string> code_in(std::string_view text) {
  std::vector<std::string> spans;
  for (std::size_t begin = 0; (begin = text.find('`', begin)) != std::string_view::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    spans.emplace_back(text.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return spans;
}

Page parse(std::string path, std::string_view text) {
  Page page{std::move(path), lines_of(text), {}, {}, {}, {}, {}};
  bool is_in_block = false;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    page.prose.push_back(is_in_block || is_fence(line) ? "" : line);
    if (is_in_block && line == "```") {
      is_in_block = false;
    } else if (is_in_block) {
      page.blocks.back().text += line + '\n';
    } else if (is_fence(line)) {
      const std::string words = trimmed(std::string_view(line).substr(3));
      const std::size_t blank = std::min(words.find(' '), words.size());
      page.blocks.push_back({i + 1, words.substr(0, blank), trimmed(words.substr(blank)), {}});
      is_in_block = true;
    }
  }
  if (is_in_block) throw std::runtime_error(page.path + ": the last fence is not closed");
  page.headings = headings_of(page.prose);
  page.links = links_of(page.prose);
  page.tables = tables_of(page.prose);
  return page;
}

}  // namespace autoshard::guides
