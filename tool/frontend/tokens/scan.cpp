#include "tool/frontend/tokens/scan.h"

#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/frontend/tokens/mentions.h"
#include "tool/model/attributes.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

bool is_word(const clang::Token& token, llvm::StringRef word) {
  return token.is(tok::raw_identifier) && token.getRawIdentifier() == word;
}

/// The name at the begin of `text`, with its delimiter, as in `"question.h"`; empty if a macro gives the
/// name.
llvm::StringRef delimited_name(llvm::StringRef text) {
  if (!text.starts_with("\"") && !text.starts_with("<")) return {};
  const std::size_t end = text.find_first_of(text.front() == '<' ? ">\n" : "\"\n", 1);
  return end == llvm::StringRef::npos || text[end] == '\n' ? llvm::StringRef() : text.slice(1, end);
}

/// Scans the text of a file that is no system header.
class TextReader {
 public:
  TextReader(llvm::StringRef text, const clang::LangOptions& language)
      : text_(text), lexer_(clang::SourceLocation(), language, text.begin(), text.begin(), text.end()) {}

  /// Whether the file certainly has no annotation. A macro might make one.
  bool read() {
    for (take(); token_.isNot(tok::eof);) {
      if (token_.is(tok::hash) && token_.isAtStartOfLine()) {
        if (!read_directive()) return false;
      } else {
        if (may_annotate() || token_.is(tok::hashhash)) return false;
        take();
      }
    }
    return true;
  }

  const std::vector<llvm::StringRef>& included() const { return included_; }
  const std::vector<std::uint32_t>& pragmas() const { return pragmas_; }

 private:
  void take() {
    before_ = token_;
    lexer_.LexFromRawLexer(token_);
  }
  bool in_line() const { return token_.isNot(tok::eof) && !token_.isAtStartOfLine(); }
  std::uint32_t offset() const {
    return static_cast<std::uint32_t>(lexer_.getBufferLocation() - text_.data()) - token_.getLength();
  }

  /// Whether the token belongs or may belong to an annotation.
  bool may_annotate() {
    if (token_.is(tok::raw_identifier) && (token_.needsCleaning() || token_.hasUCN())) return true;
    if (token_.is(tok::unknown)) return true;  // such as an identifier with an escape
    if (is_word(token_, "_Pragma") || is_word(token_, "__pragma")) return true;
    if (token_.isAtStartOfLine() &&
        (is_word(token_, "import") || is_word(token_, "module") || is_word(token_, "export")))
      return true;
    if (token_.is(tok::l_square) && before_.is(tok::l_square)) in_list_ = true;
    if (token_.is(tok::r_square) && before_.is(tok::r_square)) in_list_ = false;
    return in_list_ && token_.is(tok::raw_identifier) &&
           (is_near_scope() || find_attribute(token_.getRawIdentifier().str()));  // or has no scope
  }

  bool is_near_scope() const {
    return token_.is(tok::raw_identifier) && token_.getRawIdentifier().edit_distance(kScope) <= 2;
  }

  /// Whether a token of a macro may become a part of an attribute.
  bool may_become_annotation() const {
    return token_.isOneOf(tok::l_square, tok::r_square, tok::hashhash) || token_.needsCleaning() ||
           token_.is(tok::unknown) || is_near_scope();
  }

  bool read_directive() {
    const std::uint32_t begin = offset();
    take();
    if (!in_line()) return true;
    const llvm::StringRef word = token_.is(tok::raw_identifier) ? token_.getRawIdentifier() : "";
    if (token_.needsCleaning()) return false;
    if (word.starts_with("if")) ++depth_;
    if (word == "endif") --depth_;
    if (word == "include" || word == "include_next" || word == "import") return read_inclusion();
    if (word == "pragma") {
      // A condition decides whether the compiler reads this pragma.
      if (depth_ > 0 && names_once(begin)) return false;
      if (depth_ == 0) pragmas_.push_back(begin);
    }
    const bool is_macro = word == "define";
    for (take(); in_line(); take()) {
      if (is_macro && may_become_annotation()) return false;
    }
    return true;
  }

  bool names_once(std::uint32_t begin) const {
    return text_.substr(begin).split('\n').first.contains("once");
  }

  bool read_inclusion() {
    take();
    const llvm::StringRef name = in_line() ? delimited_name(text_.drop_front(offset())) : llvm::StringRef();
    if (name.empty()) return false;
    included_.push_back(name);
    while (in_line()) take();
    return true;
  }

  llvm::StringRef text_;
  clang::Lexer lexer_;
  clang::Token token_ = started();
  clang::Token before_ = started();
  bool in_list_ = false;
  int depth_ = 0;
  std::vector<llvm::StringRef> included_;
  std::vector<std::uint32_t> pragmas_;

  static clang::Token started() {
    clang::Token token;
    token.startToken();
    return token;
  }
};

/// Scans the main file and all files that it may include.
class FileScanner {
 public:
  FileScanner(clang::CompilerInstance& compiler, const Files& files)
      : compiler_(compiler),
        files_(files),
        manager_(compiler.getFileManager()),
        sources_(compiler.getSourceManager()),
        language_(compiler.getLangOpts()) {}

  std::optional<Scan> run() && {
    is_sure_ = begin();
    for (std::size_t at = 0; is_sure_ && at < reached_.size(); ++at) look_at(reached_[at]);
    return is_sure_ ? std::optional(std::move(scan_)) : std::nullopt;
  }

 private:
  struct Folder {
    std::string path;
    bool is_system;
  };
  struct Reached {
    clang::FileEntryRef file;
    bool is_system;
  };

  void give_up() { is_sure_ = false; }

  /// Adds the files and macros of the command line. Returns false if their effect is unknown.
  bool begin() {
    const clang::HeaderSearch& search = compiler_.getPreprocessor().getHeaderSearchInfo();
    for (const clang::DirectoryLookup& one : search.search_dir_range()) {
      if (!one.isNormalDir()) return false;
      folders_.push_back(
          {one.getDirRef()->getName().str(), one.getDirCharacteristic() != clang::SrcMgr::C_User});
    }
    const clang::PreprocessorOptions& options = compiler_.getPreprocessorOpts();
    if (!options.ImplicitPCHInclude.empty() || !compiler_.getFrontendOpts().ModuleMapFiles.empty() ||
        compiler_.getHeaderSearchOpts().ImplicitModuleMaps ||
        !compiler_.getHeaderSearchOpts().VFSOverlayFiles.empty())
      return false;
    for (const auto& macro : options.Macros) {
      std::string definition = "#define " + macro.first;
      std::ranges::replace(definition, '=', ' ');
      if (!TextReader(definition, language_).read()) return false;
    }
    add(sources_.getFileEntryRefForID(sources_.getMainFileID()), false);
    for (const std::string& name : options.Includes) find(name, ".", false);
    for (const std::string& name : options.MacroIncludes) find(name, ".", false);
    return true;
  }

  /// Adds a file. Returns whether it exists.
  bool add(clang::OptionalFileEntryRef file, bool is_system) {
    if (file && seen_.insert(&file->getFileEntry()).second) reached_.push_back({*file, is_system});
    return file.has_value();
  }

  void look_at(Reached reached) {
    scan_.files.push_back(reached.file);
    const auto buffer = sources_.getMemoryBufferForFileOrNone(reached.file);
    if (!buffer) return give_up();
    const llvm::StringRef text = buffer->getBuffer();
    const llvm::StringRef folder = reached.file.getDir().getName();
    if (reached.is_system) {
      if (mentions_attributes(text, language_)) return give_up();
      return find_all_in_system(text, folder);
    }
    TextReader reader(text, language_);
    if (!reader.read()) return give_up();
    for (const llvm::StringRef name : reader.included()) {
      if (!find(name, folder, false)) return give_up();  // an error, or excluded by a condition
    }
    for (std::uint32_t input = 0; input < files_.files().size(); ++input) {
      if (&files_.entry(input).getFileEntry() != &reached.file.getFileEntry()) continue;
      for (const std::uint32_t offset : reader.pragmas()) scan_.pragmas.push_back({input, offset, offset});
    }
  }

  void find_all_in_system(llvm::StringRef text, llvm::StringRef folder) {
    for (std::size_t hash = text.find('#'); hash != llvm::StringRef::npos; hash = text.find('#')) {
      text = text.drop_front(hash + 1);
      llvm::StringRef rest = text.ltrim(" \t");
      if (!rest.consume_front("include")) continue;
      rest.consume_front("_next");
      const llvm::StringRef name = delimited_name(rest.ltrim(" \t"));
      if (!name.empty()) find(name, folder, true);
    }
  }

  /// Adds the files of this name from all folders: each of them may be included. Returns whether there is
  /// one.
  bool find(llvm::StringRef name, llvm::StringRef folder, bool is_system) {
    const bool is_beside = add(in_folder(folder, name), is_system);
    if (llvm::sys::path::is_absolute(name)) return is_beside;
    const auto [known, is_new] = in_folders_.try_emplace(name, false);
    for (auto one = folders_.begin(); is_new && one != folders_.end(); ++one)
      known->second |= add(in_folder(one->path, name), one->is_system);
    return is_beside || known->second;
  }

  clang::OptionalFileEntryRef in_folder(llvm::StringRef folder, llvm::StringRef name) const {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    return manager_.getOptionalFileRef(llvm::sys::path::is_absolute(name) ? name : path.str());
  }

  clang::CompilerInstance& compiler_;
  const Files& files_;
  clang::FileManager& manager_;
  clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::vector<Folder> folders_;
  std::vector<Reached> reached_;
  llvm::DenseSet<const clang::FileEntry*> seen_;
  llvm::StringMap<bool> in_folders_;  ///< whether the folders have a file of this name
  bool is_sure_ = true;
  Scan scan_;
};

}  // namespace

std::optional<Scan> scan_unannotated(clang::CompilerInstance& compiler, const Files& files) {
  return FileScanner(compiler, files).run();
}

}  // namespace autoshard::tool
