#pragma once

/// Between Clang's source locations and the model's spans.

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The files of one run: the inputs in their order, and other files that diagnostics point into.
class Files {
 public:
  /// `inputs` are the headers as they were given; relative ones stand in `directory`.
  Files(const clang::SourceManager& sources, const clang::LangOptions& language,
        llvm::ArrayRef<std::string> inputs, llvm::StringRef directory);

  /// One more input, before anything is known of it.
  void add_input(clang::FileEntryRef entry) { add(entry, entry.getName().str(), true); }

  clang::FileEntryRef entry(std::uint32_t file) const { return entries_[file]; }

  /// Whether what stands at `location` (for a macro: where it is invoked) is in one of the headers given.
  bool is_input(clang::SourceLocation location) const;

  /// Whether `file` is one of the headers given.
  bool has_input(const clang::FileEntry& file) const;

  /// The bytes of the tokens in `range`; of the whole macro invocation where they come out of a macro.
  Span span(clang::SourceRange range);
  Span span(clang::CharSourceRange range);

  /// The end of `span`, or of the line if only comments follow in it.
  std::uint32_t end_with_comment(const Span& span) const;

  /// The place of a byte of `file`.
  clang::SourceLocation location(std::uint32_t file, std::uint32_t offset) const;

  /// The name by which the user knows `file`, or nothing where it was not given by the user.
  std::optional<llvm::StringRef> given_name(clang::FileID file) const;

  const clang::SourceManager& sources() const { return sources_; }
  const clang::LangOptions& language() const { return language_; }
  std::vector<SourceFile>& files() { return files_; }
  const std::vector<SourceFile>& files() const { return files_; }

 private:
  std::uint32_t index(clang::FileID file);
  void add(clang::FileEntryRef entry, std::string path, bool is_input);

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::vector<SourceFile> files_;
  std::vector<clang::FileEntryRef> entries_;
  llvm::DenseMap<const clang::FileEntry*, std::uint32_t> indices_;
};

}  // namespace autoshard::tool
