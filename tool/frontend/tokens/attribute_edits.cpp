#include "tool/frontend/tokens/attribute_edits.h"

namespace autoshard::tool {
namespace {

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

std::uint32_t back_over_blanks(std::string_view text, std::uint32_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at;
}

std::uint32_t over_blanks(std::string_view text, std::uint32_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

bool at_line_begin(std::string_view text, std::uint32_t at) { return at == 0 || text[at - 1] == '\n'; }

bool at_line_end(std::string_view text, std::uint32_t at) {
  return at == text.size() || text[at] == '\n' || text.substr(at, 2) == "\r\n";
}

std::uint32_t after_line_end(std::string_view text, std::uint32_t at) {
  auto newline = text.find('\n', at);
  return static_cast<std::uint32_t>(newline == std::string_view::npos ? text.size() : newline + 1);
}

/// Extends a removed span over blanks, or over the whole line, that would remain.
Span with_blanks(Span span, std::string_view text) {
  std::uint32_t before = back_over_blanks(text, span.begin);
  std::uint32_t after = over_blanks(text, span.end);
  if (at_line_begin(text, before) && at_line_end(text, after))
    return {span.file, before, after_line_end(text, after)};
  if (after > span.end && !at_line_end(text, after)) return {span.file, span.begin, after};
  // `class [[…]]` with the name on the next line: the name moves up.
  if (const std::string_view head = text.substr(0, before);
      head.ends_with("class") || head.ends_with("struct")) {
    const std::size_t name = text.find_first_not_of(" \t\r\n", after);
    if (name != std::string_view::npos) return {span.file, span.begin, static_cast<std::uint32_t>(name)};
  }
  // No blanks follow, so the span takes the preceding ones, as in `int id_ [[…]];`.
  return {span.file, at_line_begin(text, before) ? span.begin : before, span.end};
}

/// Removes attributes. Walks over units of the file: single tokens, and whole macro invocations.
class AttributeRemover {
 public:
  AttributeRemover(const TokenLog& log, const FoundAttributes& found, Files& files)
      : log_(log), found_(found), files_(files) {}

  void run() {
    std::size_t end = 0;
    for (std::size_t first = 0; first < log_.tokens().size(); first = end) {
      end = unit_end(first);
      if (files_.is_input(log_.tokens()[first].getLocation())) {
        take(first, end);
      } else {
        flush();
      }
    }
    flush();
  }

 private:
  clang::SourceLocation expansion(std::size_t at) const {
    return files_.sources().getExpansionLoc(log_.tokens()[at].getLocation());
  }

  std::size_t unit_end(std::size_t first) const {
    std::size_t end = first + 1;
    if (log_.tokens()[first].getLocation().isFileID()) return end;
    while (end < log_.tokens().size() && log_.tokens()[end].getLocation().isMacroID() &&
           expansion(end) == expansion(first)) {
      ++end;
    }
    return end;
  }

  Span unit_span(std::size_t first) const {
    return files_.span(files_.sources().getExpansionRange(log_.tokens()[first].getLocation()));
  }

  void take(std::size_t first, std::size_t end) {
    auto begin = found_.removed.begin();
    auto removed = std::count(begin + static_cast<std::ptrdiff_t>(first),
                              begin + static_cast<std::ptrdiff_t>(end), true);
    if (removed == 0) return flush();
    Span span = unit_span(first);
    if (removed == static_cast<std::ptrdiff_t>(end - first)) {
      if (run_ && run_->file == span.file) {
        run_->end = span.end;
      } else {
        flush();
        run_ = span;
      }
      behind_run_ = end;
      return;
    }
    flush();
    files_.files()[span.file].attribute_edits.push_back({span, kept_text(first, end)});
  }

  /// The expansion of a macro without the attributes.
  std::string kept_text(std::size_t first, std::size_t end) const {
    llvm::SmallVector<clang::Token, 8> kept;
    for (std::size_t at = first; at < end; ++at) {
      if (!found_.removed[at]) kept.push_back(log_.tokens()[at]);
    }
    return log_.text(kept);
  }

  /// Adds the edit for the current run of removed tokens.
  void flush() {
    if (!run_) return;
    SourceFile& file = files_.files()[run_->file];
    const Span span = with_blanks(*run_, file.text);
    file.attribute_edits.push_back({span, "", shifts_lines(span, file.text)});
    run_.reset();
  }

  /// Whether the declaration goes on in the line of the run, and in further lines.
  bool shifts_lines(const Span& removed, std::string_view text) const {
    if (at_line_begin(text, removed.end)) return false;
    const auto is_end = [](const clang::Token& token) {
      return token.isOneOf(clang::tok::semi, clang::tok::l_brace);
    };
    const auto* end = llvm::find_if(log_.tokens().drop_front(behind_run_), is_end);
    if (end == log_.tokens().end()) return false;
    const Span last = files_.span({end->getLocation(), end->getLocation()});
    return last.file == removed.file && removed.end < last.begin &&
           text.substr(removed.end, last.begin - removed.end).find('\n') != std::string_view::npos;
  }

  const TokenLog& log_;
  const FoundAttributes& found_;
  Files& files_;
  std::optional<Span> run_;
  std::size_t behind_run_ = 0;  ///< the first token behind it
};

std::uint32_t line_begin(std::string_view text, std::uint32_t at) {
  while (at > 0 && text[at - 1] != '\n') --at;
  return at;
}

/// An `#error` before the include of a generated header that another run should generate. It applies if the
/// header does not exist.
std::string refusal_without(const std::string& generated, const std::string& header) {
  return "#if !__has_include(" + generated + ")\n#error \"no companion classes of " + header +
         " were generated: give it to the generator (in CMake, as one of HEADERS)\"\n#endif\n";
}

/// The begin of the line after the directive at `at`. Continued lines belong to the directive.
std::uint32_t after_directive(std::string_view text, std::uint32_t at) {
  std::uint32_t end = after_line_end(text, at);
  while (end < text.size() && end >= 2 && (text[end - 2] == '\\' || text.substr(end - 3, 2) == "\\\r")) {
    end = after_line_end(text, end);
  }
  return end;
}

/// The word of a directive on the line that begins at `at`: `if`, `else` …; empty if there is none.
std::string_view directive_word(std::string_view text, std::uint32_t at) {
  at = over_blanks(text, at);
  if (at >= text.size() || text[at] != '#') return {};
  at = over_blanks(text, at + 1);
  std::uint32_t end = at;
  while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
  return text.substr(at, end - at);
}

/// Splits a skipped range into its branches at the directives. The preprocessor skips several branches in one
/// range.
void add_skipped(Span range, SourceFile& file) {
  std::uint32_t branch = after_directive(file.text, range.begin);
  std::size_t depth = 0;
  for (std::uint32_t at = branch; at < range.end;) {
    std::string_view word = directive_word(file.text, at);
    std::uint32_t next = after_directive(file.text, at);
    if (depth == 0 && (word.starts_with("el") || word == "endif")) {
      if (at > branch) file.skipped.push_back({range.file, branch, at});
      branch = next;
    }
    if (word.starts_with("if")) ++depth;
    if (word == "endif" && depth > 0) --depth;
    at = next;
  }
}

/// Adds the given headers that include one of `rewritten`. Returns whether it added any.
bool add_including(const TokenLog& log, const Files& files,
                   llvm::DenseSet<const clang::FileEntry*>& rewritten) {
  bool added = false;
  for (const Inclusion& inclusion : log.inclusions()) {
    if (!files.is_input(inclusion.name.getBegin()) || !rewritten.contains(inclusion.file)) continue;
    const clang::FileID includer =
        files.sources().getFileID(files.sources().getExpansionLoc(inclusion.name.getBegin()));
    const auto entry = files.sources().getFileEntryRefForID(includer);
    added |= entry && rewritten.insert(&entry->getFileEntry()).second;
  }
  return added;
}

}  // namespace

void add_attribute_edits(const TokenLog& log, const FoundAttributes& found, Files& files) {
  AttributeRemover(log, found, files).run();
}

void add_pragma(const Span& at, Files& files) {
  SourceFile& file = files.files()[at.file];
  const Span line{at.file, line_begin(file.text, at.begin), after_line_end(file.text, at.begin)};
  const std::string_view text = std::string_view(file.text).substr(line.begin, line.end - line.begin);
  if (text.find("once") != std::string_view::npos) file.pragma_once.push_back(line);
}

void add_directives(const TokenLog& log, llvm::DenseSet<const clang::FileEntry*> rewritten, Files& files) {
  while (add_including(log, files, rewritten)) {
  }
  for (const Inclusion& inclusion : log.inclusions()) {
    if (!files.is_input(inclusion.name.getBegin()) || !rewritten.contains(inclusion.file)) continue;
    Span span = files.span(inclusion.name);
    const std::string plain = generated_name(inclusion.written);
    const std::string name = inclusion.angled ? "<" + plain + ">" : "\"" + plain + "\"";
    SourceFile& file = files.files()[span.file];
    if (!files.has_input(*inclusion.file)) {
      const std::uint32_t line = line_begin(file.text, span.begin);
      file.include_edits.push_back({{span.file, line, line}, refusal_without(name, inclusion.written)});
    }
    file.include_edits.push_back({span, name});
  }
  for (clang::SourceLocation location : log.pragmas()) {
    if (!files.is_input(location)) continue;
    add_pragma(files.span({location, location}), files);
  }
  for (clang::SourceRange range : log.skipped()) {
    if (!files.is_input(range.getBegin())) continue;
    Span span = files.span(clang::CharSourceRange::getCharRange(range));
    SourceFile& file = files.files()[span.file];
    // The range ends on the line of the closing directive. add_skipped() needs this whole line.
    add_skipped({span.file, span.begin, after_line_end(file.text, span.end)}, file);
  }
  for (clang::SourceLocation hash : log.directives()) {
    if (!files.is_input(hash)) continue;
    const Span begin = files.span({hash, hash});
    SourceFile& file = files.files()[begin.file];
    file.directives.push_back({begin.file, begin.begin, after_directive(file.text, begin.begin)});
  }
  for (clang::SourceLocation macro : log.macros()) {
    if (!files.is_input(macro)) continue;
    const Span name = files.span({macro, macro});
    SourceFile& file = files.files()[name.file];
    file.macros.insert(file.text.substr(name.begin, name.end - name.begin));
  }
}

}  // namespace autoshard::tool
