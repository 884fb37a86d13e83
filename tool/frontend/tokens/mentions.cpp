#include "tool/frontend/tokens/mentions.h"

#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/tokens/clang_attributes.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

/// The name in an `#include`, and the text behind the directive. The name is empty if `text` does not begin
/// with an `#include`.
std::pair<llvm::StringRef, llvm::StringRef> included_name(llvm::StringRef text) {
  text = text.ltrim(" \t");
  if (!text.consume_front("include_next") && !text.consume_front("include") && !text.consume_front("import"))
    return {{}, text};
  text = text.ltrim(" \t");
  if (!text.starts_with("\"") && !text.starts_with("<")) return {{}, text};
  const std::size_t end = text.find_first_of("\">\n", 1);
  if (end == llvm::StringRef::npos || text[end] == '\n') return {{}, text};
  return {text.slice(1, end), text.drop_front(end)};
}

/// The main file, and the user's files that it includes, directly or indirectly.
class UserFiles {
 public:
  explicit UserFiles(clang::CompilerInstance& compiler)
      : files_(compiler.getFileManager()),
        sources_(compiler.getSourceManager()),
        language_(compiler.getLangOpts()) {
    const clang::HeaderSearch& search = compiler.getPreprocessor().getHeaderSearchInfo();
    for (const clang::DirectoryLookup& one : search.search_dir_range()) {
      if (one.isNormalDir() && one.getDirCharacteristic() == clang::SrcMgr::C_User)
        folders_.push_back(one.getDirRef()->getName().str());
    }
    add(sources_.getFileEntryRefForID(sources_.getMainFileID()));
    const clang::PreprocessorOptions& options = compiler.getPreprocessorOpts();
    for (const std::string& name : options.Includes) add(find(name, "."));
    for (const std::string& name : options.MacroIncludes) add(find(name, "."));
  }

  bool mention_attributes() {
    for (std::size_t at = 0; at < reached_.size(); ++at) {
      const auto buffer = sources_.getMemoryBufferForFileOrNone(reached_[at]);
      if (!buffer) continue;
      if (mentions_attributes(buffer->getBuffer(), language_)) return true;
      add_included(buffer->getBuffer(), reached_[at].getDir().getName());
    }
    return false;
  }

 private:
  void add(clang::OptionalFileEntryRef file) {
    if (file && seen_.insert(&file->getFileEntry()).second) reached_.push_back(*file);
  }

  void add_included(llvm::StringRef text, llvm::StringRef folder) {
    for (std::size_t hash = text.find('#'); hash != llvm::StringRef::npos; hash = text.find('#')) {
      const auto [name, rest] = included_name(text.drop_front(hash + 1));
      if (!name.empty()) add(find(name, folder));
      text = rest;
    }
  }

  clang::OptionalFileEntryRef find(llvm::StringRef name, llvm::StringRef folder) {
    if (auto beside = in_folder(folder, name)) return beside;
    const auto [known, is_new] = known_.try_emplace(name);
    for (auto one = folders_.begin(); is_new && !known->second && one != folders_.end(); ++one) {
      known->second = in_folder(*one, name);
    }
    return known->second;
  }

  clang::OptionalFileEntryRef in_folder(llvm::StringRef folder, llvm::StringRef name) const {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    return files_.getOptionalFileRef(llvm::sys::path::is_absolute(name) ? name : path.str());
  }

  clang::FileManager& files_;
  clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::vector<std::string> folders_;
  std::vector<clang::FileEntryRef> reached_;
  llvm::DenseSet<const clang::FileEntry*> seen_;
  llvm::StringMap<clang::OptionalFileEntryRef> known_;  ///< files by the name in the `#include`
};

}  // namespace

bool mentions_attributes(llvm::StringRef text, const clang::LangOptions& language) {
  if (!text.contains(kScope)) return false;
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token before;
  before.startToken();
  bool in_define = false;
  bool in_list = false;
  clang::Token token;
  for (bool at_end = false; !at_end; before = token) {
    at_end = lexer.LexFromRawLexer(token);
    const llvm::StringRef name = token.is(tok::raw_identifier) ? token.getRawIdentifier() : "";
    if (token.isAtStartOfLine()) in_define = false;
    if (before.is(tok::hash) && before.isAtStartOfLine()) in_define = name == "define";
    if (before.is(tok::l_square) && token.is(tok::l_square)) in_list = true;
    if (before.is(tok::r_square) && token.is(tok::r_square)) in_list = false;
    if ((in_define || in_list) && name == kScope) return true;
  }
  return false;
}

bool is_module_unit(llvm::StringRef text, const clang::LangOptions& language) {
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token;
  const auto next = [&] {
    lexer.LexFromRawLexer(token);
    return token.is(tok::raw_identifier) ? token.getRawIdentifier() : llvm::StringRef();
  };
  const llvm::StringRef first = next();
  return first == "module" || (first == "export" && next() == "module");
}

bool main_file_mentions_attributes(clang::CompilerInstance& compiler) {
  const auto names_scope = [](const auto& macro) { return llvm::StringRef(macro.first).contains(kScope); };
  if (llvm::any_of(compiler.getPreprocessorOpts().Macros, names_scope)) return true;
  return UserFiles(compiler).mention_attributes();
}

}  // namespace autoshard::tool
