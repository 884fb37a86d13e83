#include "rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <string_view>
#include <utility>

namespace autoshard::guides {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kColumns = 120;

/// Counts characters, not bytes.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether a line of an excerpt stands for lines that are left out.
bool is_gap(const std::string& line) { return line == "…" || line == "// …" || line == "# …"; }

using Lines = std::vector<std::string>;

Lines trimmed_lines(std::string_view text) {
  Lines lines = lines_of(text);
  std::ranges::transform(lines, lines.begin(), [](const std::string& line) { return trimmed(line); });
  return lines;
}

/// Finds the parts of the excerpt between gaps, one behind the other. Returns the first line of the excerpt
/// that is not in the file, or nothing.
std::optional<std::string> missing_line(const Lines& excerpt, const Lines& file) {
  auto from = file.begin();
  for (auto begin = excerpt.begin(); begin != excerpt.end();) {
    const auto end = std::find_if(begin, excerpt.end(), is_gap);
    const auto found = std::search(from, file.end(), begin, end);
    if (found == file.end() && begin != end) {
      // The longest beginning that is there tells where the difference is.
      auto there = begin;
      while (std::search(from, file.end(), begin, there + 1) != file.end()) ++there;
      return *there;
    }
    from = found + (end - begin);
    begin = end == excerpt.end() ? end : end + 1;
  }
  return std::nullopt;
}

/// A row `| **updates** | | |` names the part of the table below it.
bool is_heading(const Row& row) {
  return row.cells.front().starts_with("**") &&
         std::count(row.cells.begin(), row.cells.end(), "") + 1 == std::ssize(row.cells);
}

/// Whether the generator makes this file of a header or source of the page.
bool is_generated(const Page& page, std::string path) {
  const std::size_t mark = path.rfind(".autoshard.");
  if (mark == std::string::npos) return false;
  path.erase(mark, std::string_view(".autoshard").size());
  return std::ranges::any_of(page.blocks, [&](const Block& block) { return file_of(block) == path; });
}

}  // namespace

std::string at(const Page& page, std::size_t line) { return page.path + ":" + std::to_string(line) + ": "; }

Files files_below(const fs::path& root) {
  return [root](const std::string& path) -> std::optional<std::string> {
    if (path.empty() || !fs::is_regular_file(root / path)) return std::nullopt;
    return read(root / path);
  };
}

std::optional<std::string> excerpt_of(const Block& block) {
  if (!block.about.starts_with("in ")) return std::nullopt;
  return trimmed(std::string_view(block.about).substr(3));
}

std::optional<std::string> file_of(const Block& block) {
  static const std::regex name(R"([\w/]+\.(h|cpp))");
  if (block.language != "cpp" || !std::regex_match(block.about, name)) return std::nullopt;
  return block.about;
}

Findings wide_lines(const Page& page) {
  static const std::regex link(R"(\s*(\d+\.|[-*])?\s*!?\[[^\]]*\]\([^)]*\)[.,;]?)");
  Findings findings;
  for (std::size_t i = 0; i < page.prose.size(); ++i) {
    const std::string& line = page.prose[i];
    if (columns(line) > kColumns && !line.starts_with('|') && !std::regex_match(line, link))
      findings.push_back(at(page, i + 1) + "the line has " + std::to_string(columns(line)) + " columns");
  }
  return findings;
}

Findings missing_contents(const Page& page) {
  std::vector<Heading> sections;
  std::ranges::copy_if(page.headings, std::back_inserter(sections), [](const Heading& heading) {
    return heading.level == 2 && heading.anchor != "contents";
  });
  Findings findings;
  auto link = page.links.begin();
  for (const Heading& section : sections) {
    const auto found = std::find_if(link, page.links.end(), [&](const Link& one) {
      return one.line < sections.front().line && one.target == "#" + section.anchor;
    });
    if (found == page.links.end()) {
      findings.push_back(at(page, section.line) + "the table of contents lacks #" + section.anchor +
                         ", or has it at another place");
    } else {
      link = found + 1;
    }
  }
  return findings;
}

Findings broken_links(const Page& page, const fs::path& root) {
  static const std::regex elsewhere("(https?|mailto):.*");
  Findings findings;
  for (const Link& link : page.links) {
    if (std::regex_match(link.target, elsewhere)) continue;
    const std::size_t hash = std::min(link.target.find('#'), link.target.size());
    const fs::path file =
        hash == 0 ? fs::path(page.path) : (fs::path(page.path).parent_path() / link.target.substr(0, hash));
    const std::string path = file.lexically_normal().string();
    const bool is_here = path == page.path;
    if (!is_here && (path.starts_with("..") || !fs::exists(root / path))) {
      findings.push_back(at(page, link.line) + "there is no " + path);
      continue;
    }
    if (hash == link.target.size()) continue;
    const std::string anchor = link.target.substr(hash + 1);
    const Page target = is_here ? page : parse(path, path.ends_with(".md") ? read(root / path) : "");
    if (std::ranges::find(target.headings, anchor, &Heading::anchor) == target.headings.end())
      findings.push_back(at(page, link.line) + path + " has no heading #" + anchor);
  }
  return findings;
}

std::vector<std::string> paths_below(const fs::path& root) {
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    const bool is_hidden = name.starts_with('.');
    if (entry->is_directory() && (is_hidden || name.starts_with("build"))) entry.disable_recursion_pending();
    if (entry->is_regular_file() && !is_hidden)
      paths.push_back(entry->path().lexically_relative(root).string());
  }
  return paths;
}

Findings unknown_files(const Page& page, const std::vector<std::string>& paths) {
  static const std::regex path(R"((tool|runtime|test|samples|cmake)/[\w/.*]*)");
  static const std::regex name(R"([\w*]+\.(h|cpp|cmake|md|sh|txt|json))");
  static const std::regex any(R"(NAME|\*)");
  Findings findings;
  for (std::size_t line = 0; line < page.prose.size(); ++line) {
    for (const std::string& code : code_in(page.prose[line])) {
      const bool is_path = std::regex_match(code, path);
      if (!is_path && !std::regex_match(code, name)) continue;
      const std::string escaped = std::regex_replace(code, std::regex(R"(\.)"), R"(\.)");
      const std::regex wanted((is_path ? "" : "(.*/)?") + std::regex_replace(escaped, any, R"([\w.]+)") +
                              (code.ends_with('/') ? ".*" : "(/.*)?"));
      const auto is_wanted = [&](const std::string& one) { return std::regex_match(one, wanted); };
      if (std::ranges::none_of(paths, is_wanted))
        findings.push_back(at(page, line + 1) + "there is no " + code);
    }
  }
  return findings;
}

Findings unknown_blocks(const Page& page) {
  Findings findings;
  for (const Block& block : page.blocks) {
    if (block.language.empty())
      findings.push_back(at(page, block.line) + "the block does not name its language");
    if (block.language == "cpp" && !file_of(block) && !excerpt_of(block) &&
        !block.about.starts_with("wrong "))
      findings.push_back(at(page, block.line) +
                         "no test holds this C++: write `cpp NAME`, `cpp in PATH` or "
                         "`cpp wrong TAG` behind the fence");
  }
  return findings;
}

Findings changed_excerpts(const Page& page, const Files& files) {
  Findings findings;
  for (const Block& block : page.blocks) {
    const std::optional<std::string> path = excerpt_of(block);
    if (!path) continue;
    std::optional<std::string> file = files(*path);
    for (const Block& other : page.blocks) {
      if (file_of(other) == path) file = other.text;
    }
    if (!file && is_generated(page, *path)) continue;
    if (!file) {
      findings.push_back(at(page, block.line) + "there is no " + *path);
    } else if (const auto line = missing_line(trimmed_lines(block.text), trimmed_lines(*file))) {
      findings.push_back(at(page, block.line) + *path + " does not have, or not there: " + *line);
    }
  }
  return findings;
}

Findings missing_tests(const Page& page, const std::vector<std::string>& tests, const Files& files) {
  Findings findings;
  for (const Table& table : page.tables) {
    const auto column = std::ranges::find(table.header.cells, "held by");
    if (column == table.header.cells.end()) continue;
    const auto place = static_cast<std::size_t>(column - table.header.cells.begin());
    for (const Row& row : table.rows) {
      if (is_heading(row)) continue;
      const std::vector<std::string> names = code_in(place < row.cells.size() ? row.cells[place] : "");
      if (names.empty()) findings.push_back(at(page, row.line) + "no test holds this");
      for (const std::string& name : names) {
        if (!std::ranges::binary_search(tests, name) && !files(name))
          findings.push_back(at(page, row.line) + "there is no test " + name);
      }
    }
  }
  return findings;
}

std::vector<std::string> tests_below(const fs::path& folder) {
  static const std::regex test(R"((?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cpp" && path.extension() != ".h") continue;
    const std::string text = read(path);
    for (std::sregex_iterator found(text.begin(), text.end(), test), end; found != end; ++found)
      names.push_back(found->str(1) + "." + found->str(2));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace autoshard::guides
