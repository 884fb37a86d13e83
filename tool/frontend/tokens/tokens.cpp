#include "tool/frontend/tokens/tokens.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Basic/Version.h>
#include <clang/Lex/PPCallbacks.h>

namespace autoshard::tool {

namespace tok = clang::tok;

static bool opens(const clang::Token& token) {
  return token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
}

std::optional<std::size_t> closing(Tokens tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < tokens.size(); ++at) {
    if (opens(tokens[at])) ++depth;
    if (tokens[at].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && --depth == 0) return at;
  }
  return std::nullopt;
}

std::size_t after_group(Tokens tokens, std::size_t at) {
  const std::size_t last = opens(tokens[at]) ? closing(tokens, at).value_or(tokens.size() - 1) : at;
  return last + 1;
}

class TokenLog::Directives : public clang::PPCallbacks {
 public:
  explicit Directives(TokenLog& log) : log_(log) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (!file || !log_.is_users(hash)) return;
    log_.directives_.push_back(hash);
    log_.inclusions_.push_back({range, angled, name.str(), &file->getFileEntry()});
  }

  void PragmaDirective(clang::SourceLocation location, clang::PragmaIntroducerKind kind) override {
    if (!log_.is_users(location)) return;
    log_.pragmas_.push_back(location);
    if (kind == clang::PIK_HashPragma) log_.directives_.push_back(location);
  }

  void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override {
    if (log_.is_users(name.getLocation())) log_.macros_.push_back(name.getLocation());
  }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    if (log_.is_users(range.getBegin())) log_.skipped_.push_back(range);
  }

 private:
  TokenLog& log_;
};

TokenLog::TokenLog(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {
  preprocessor.setTokenWatcher([this](const clang::Token& token) { keep(token); });
  preprocessor.addPPCallbacks(std::make_unique<Directives>(*this));
}

void TokenLog::keep(const clang::Token& token) {
  if (token.isAnnotation() || token.is(clang::tok::eof) || !is_users(token.getLocation())) return;
  positions_.try_emplace(token.getLocation(), tokens_.size());
  tokens_.push_back(token);
}

bool TokenLog::is_users(clang::SourceLocation location) {
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  clang::SourceLocation expanded = sources.getExpansionLoc(location);
  clang::FileID file = sources.getFileID(expanded);
  if (file != last_file_) {
    last_file_ = file;
    last_file_is_users_ =
        !sources.isInSystemHeader(expanded) && sources.getFileEntryRefForID(file).has_value();
  }
  return last_file_is_users_;
}

std::optional<std::size_t> TokenLog::find(clang::SourceLocation location) const {
  auto found = positions_.find(location);
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

Tokens TokenLog::tokens(clang::SourceRange range) const {
  auto first = find(range.getBegin());
  auto last = find(range.getEnd());
  if (!first || !last || *last < *first) return {};
  return tokens().slice(*first, *last - *first + 1);
}

std::string TokenLog::text(Tokens tokens) const {
  std::string text;
  for (const clang::Token& token : tokens) {
    bool apart = token.hasLeadingSpace() || token.isAtStartOfLine();
    if (apart && !text.empty()) text += ' ';
    text += preprocessor_.getSpelling(token);
  }
  return text;
}

}  // namespace autoshard::tool
