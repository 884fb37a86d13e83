#pragma once

/// What the preprocessor saw in the user's own files.

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace autoshard::tool {

using Tokens = llvm::ArrayRef<clang::Token>;

/// The bracket that closes the one at `open`; nothing where there is none.
std::optional<std::size_t> closing(Tokens tokens, std::size_t open);

/// Behind the token at `at`, or behind the bracket that closes it.
std::size_t after_group(Tokens tokens, std::size_t at);

/// An `#include` as it was written.
struct Inclusion {
  clang::CharSourceRange name;  ///< with quotes or angle brackets
  bool angled = false;
  std::string written;
  const clang::FileEntry* file = nullptr;
};

/// The tokens that the parser got, macros expanded, and the directives that it did not get. Listens from its
/// construction on and must outlive the preprocessor's work. Files that count as system headers leave no
/// trace.
class TokenLog {
 public:
  explicit TokenLog(clang::Preprocessor& preprocessor);
  TokenLog(const TokenLog&) = delete;
  TokenLog& operator=(const TokenLog&) = delete;

  clang::Preprocessor& preprocessor() const { return preprocessor_; }
  Tokens tokens() const { return tokens_; }

  /// Position in tokens() of the token at `location`, or nothing where the parser got none from there.
  std::optional<std::size_t> find(clang::SourceLocation location) const;

  /// The tokens of `range` (a token range); empty where one of its ends is unknown.
  Tokens tokens(clang::SourceRange range) const;

  /// The tokens as text: one blank where there were blanks, line ends or comments.
  std::string text(Tokens tokens) const;

  llvm::ArrayRef<Inclusion> inclusions() const { return inclusions_; }
  llvm::ArrayRef<clang::SourceLocation> pragmas() const { return pragmas_; }
  /// The `#` of each `#include` and `#pragma`.
  llvm::ArrayRef<clang::SourceLocation> directives() const { return directives_; }
  /// The name in each `#define`.
  llvm::ArrayRef<clang::SourceLocation> macros() const { return macros_; }
  llvm::ArrayRef<clang::SourceRange> skipped() const { return skipped_; }

 private:
  class Directives;

  void keep(const clang::Token& token);
  bool is_users(clang::SourceLocation location);

  clang::Preprocessor& preprocessor_;
  std::vector<clang::Token> tokens_;
  llvm::DenseMap<clang::SourceLocation, std::size_t> positions_;
  clang::FileID last_file_;
  bool last_file_is_users_ = false;
  std::vector<Inclusion> inclusions_;
  std::vector<clang::SourceLocation> pragmas_;
  std::vector<clang::SourceLocation> directives_;
  std::vector<clang::SourceLocation> macros_;
  std::vector<clang::SourceRange> skipped_;
};

}  // namespace autoshard::tool
