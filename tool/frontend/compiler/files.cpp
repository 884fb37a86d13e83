#include "tool/frontend/compiler/files.h"

#include <clang/Basic/FileManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/compiler/versions.h"

namespace autoshard::tool {

Files::Files(const clang::SourceManager& sources, const clang::LangOptions& language,
             llvm::ArrayRef<std::string> inputs, llvm::StringRef directory)
    : sources_(sources), language_(language) {
  for (const std::string& input : inputs) {
    llvm::SmallString<256> path(input);
    make_absolute(directory, path);
    if (auto entry = sources.getFileManager().getOptionalFileRef(path)) add(*entry, input, true);
  }
}

void Files::add(clang::FileEntryRef entry, std::string path, bool is_input) {
  if (!indices_.try_emplace(&entry.getFileEntry(), static_cast<std::uint32_t>(files_.size())).second) return;
  SourceFile file;
  file.path = std::move(path);
  file.is_input = is_input;
  if (auto buffer = const_cast<clang::SourceManager&>(sources_).getMemoryBufferForFileOrNone(entry)) {
    file.text = buffer->getBuffer().str();
  }
  files_.push_back(std::move(file));
  entries_.push_back(entry);
}

std::uint32_t Files::index(clang::FileID file) {
  auto entry = sources_.getFileEntryRefForID(file);
  if (!entry) return 0;  // a built-in or the command line, which no diagnostic of AutoShard points to
  add(*entry, entry->getName().str(), false);
  return indices_.lookup(&entry->getFileEntry());
}

bool Files::is_input(clang::SourceLocation location) const {
  return given_name(sources_.getFileID(sources_.getExpansionLoc(location))).has_value();
}

std::optional<llvm::StringRef> Files::given_name(clang::FileID file) const {
  auto entry = sources_.getFileEntryRefForID(file);
  if (!entry) return std::nullopt;
  auto found = indices_.find(&entry->getFileEntry());
  if (found == indices_.end() || !files_[found->second].is_input) return std::nullopt;
  return files_[found->second].path;
}

bool Files::has_input(const clang::FileEntry& file) const {
  const auto found = indices_.find(&file);
  return found != indices_.end() && files_[found->second].is_input;
}

Span Files::span(clang::SourceRange range) { return span(clang::CharSourceRange::getTokenRange(range)); }

Span Files::span(clang::CharSourceRange range) {
  if (range.isInvalid()) return {};
  clang::CharSourceRange bytes = clang::Lexer::makeFileCharRange(range, sources_, language_);
  if (bytes.isInvalid()) {
    bytes = clang::Lexer::getAsCharRange(sources_.getExpansionRange(range), sources_, language_);
  }
  auto [file, begin] = sources_.getDecomposedLoc(bytes.getBegin());
  auto [end_file, end] = sources_.getDecomposedLoc(bytes.getEnd());
  return {index(file), begin, file == end_file ? end : begin};
}

std::uint32_t Files::end_with_comment(const Span& span) const {
  const std::string& text = files_[span.file].text;
  const auto over_blanks = [&](std::size_t at) {
    return static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \t", at), text.size()));
  };
  std::uint32_t at = over_blanks(span.end);
  while (at < text.size() && text[at] == '/') {
    clang::Lexer lexer(clang::SourceLocation(), language_, text.data(), text.data() + at,
                       text.data() + text.size());
    lexer.SetCommentRetentionState(true);
    clang::Token token;
    lexer.LexFromRawLexer(token);
    const std::string_view comment = std::string_view(text).substr(at, token.getLength());
    const bool ends_here = comment.starts_with("//") || comment.find('\n') == std::string_view::npos;
    if (!token.is(clang::tok::comment) || !ends_here) return span.end;
    at = over_blanks(at + token.getLength());
  }
  return at == text.size() || text[at] == '\n' || text[at] == '\r' ? at : span.end;
}

clang::SourceLocation Files::location(std::uint32_t file, std::uint32_t offset) const {
  if (file >= entries_.size()) return {};
  clang::FileID id = sources_.translateFile(entries_[file]);
  if (id.isInvalid()) return {};
  return sources_.getLocForStartOfFile(id).getLocWithOffset(static_cast<int>(offset));
}

}  // namespace autoshard::tool
