#include "tool/check/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "tool/text/wrap.h"

namespace autoshard::tool {

/// The files of the corpus. The build generates the source that defines them.
std::span<const std::pair<std::string_view, std::string_view>> corpus_files();

namespace {

constexpr std::string_view kExpect = "// expect: ";
constexpr std::string_view kContinued = "//     ";
constexpr std::string_view kWrong = "// wrong:";
constexpr std::string_view kRight = "// right:";
constexpr std::size_t kWidth = 110;

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

std::string_view without_indent(std::string_view line) { return line.substr(indent_of(line)); }

constexpr std::string_view kGap = "…";  ///< stands between two places, and for the rest of an open brace

/// Joins the lines, without the indentation that all of them share.
std::string dedented(const std::vector<std::string>& lines) {
  std::size_t shared = std::string::npos;
  for (const std::string& line : lines) {
    if (line != kGap && indent_of(line) < line.size()) shared = std::min(shared, indent_of(line));
  }
  std::string text;
  for (const std::string& line : lines)
    text += (line == kGap ? line : line.substr(std::min(shared, line.size()))) + '\n';
  const bool is_open = std::ranges::count(text, '{') > std::ranges::count(text, '}');
  return is_open ? fmt::format("{}{}\n", text, kGap) : text;
}

/// Reads the lines of a corpus file one by one.
class CorpusReader {
 public:
  CorpusFile read(std::string_view text) && {
    std::size_t number = 0;
    for (const std::string_view line : lines_of(text)) take(line.substr(0, line.find('\n')), ++number);
    file_.wrong = dedented(wrong_);
    file_.right = dedented(right_);
    return std::move(file_);
  }

 private:
  enum class Position { kElsewhere, kInWrong, kInRight };

  void take(std::string_view line, std::size_t number) {
    const std::string_view mark = without_indent(line);
    if (place_ == Position::kInRight && mark.starts_with("//") && !mark.starts_with(kWrong))
      return add_right(line, mark);
    if (place_ == Position::kInRight) place_ = Position::kElsewhere;
    if (mark.starts_with(kExpect)) return expect(mark.substr(kExpect.size()));
    if (is_expecting_ && mark.starts_with(kContinued)) {
      file_.expected.back().message += ' ';
      file_.expected.back().message += mark.substr(kContinued.size());
      return;
    }
    is_expecting_ = false;
    earning_ = number;
    if (mark == kWrong) {
      begin_place();
    } else if (mark == kRight) {
      place_ = Position::kInRight;
    } else if (place_ == Position::kInWrong) {
      wrong_.emplace_back(line);
    } else {
      file_.mended += line;
      file_.mended += '\n';
    }
  }

  void expect(std::string_view text) {
    const std::size_t colon = std::min(text.find(": "), text.size());
    file_.expected.push_back({earning_, std::string(text.substr(0, colon)),
                              std::string(text.substr(std::min(colon + 2, text.size())))});
    is_expecting_ = true;
  }

  void add_right(std::string_view line, std::string_view mark) {
    mark.remove_prefix(std::min<std::size_t>(mark.starts_with("// ") ? 3 : 2, mark.size()));
    right_.push_back(mark.empty() ? "" : std::string(line.substr(0, indent_of(line))) + std::string(mark));
    file_.mended += right_.back() + '\n';
  }

  void begin_place() {
    place_ = Position::kInWrong;
    if (wrong_.empty()) return;
    wrong_.emplace_back(kGap);
    right_.emplace_back(kGap);
  }

  CorpusFile file_;
  Position place_ = Position::kElsewhere;
  std::vector<std::string> wrong_;
  std::vector<std::string> right_;
  std::size_t earning_ = 0;    ///< the number of the last line without a mark
  bool is_expecting_ = false;  ///< the previous line is a part of an expectation
};

}  // namespace

CorpusFile read_corpus_file(std::string_view text) { return CorpusReader().read(text); }

std::string with_expectations(std::string_view text, const std::vector<Expectation>& expected) {
  std::string result;
  std::size_t number = 0;
  bool is_expecting = false;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string_view mark = without_indent(line);
    is_expecting = mark.starts_with(kExpect) || (is_expecting && mark.starts_with(kContinued));
    if (is_expecting) continue;
    result += line;
    for (const Expectation& one : expected) {
      if (one.line != number) continue;
      const std::string indent(line.substr(0, indent_of(line)));
      result += wrapped(fmt::format("{}: {}", one.rule, one.message), indent + std::string(kExpect),
                        indent + std::string(kContinued), kWidth);
    }
  }
  return result;
}

Example example_of(std::string_view tag) {
  for (const auto& [name, text] : corpus_files()) {
    CorpusFile file = read_corpus_file(text);
    for (const Expectation& one : file.expected) {
      if (one.rule == tag) return {std::move(file.wrong), one.message, std::move(file.right)};
    }
  }
  return {};
}

}  // namespace autoshard::tool
