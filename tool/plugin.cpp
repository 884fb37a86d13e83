/// The plugin for Clang. It runs the generator's stages in memory on the files that the compiler is about to
/// read.

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tool/frontend/generated_names.h"
#include "tool/frontend/nested_parse.h"
#include "tool/frontend/tokens/mentions.h"
#include "tool/output/write.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

/// The options `-fplugin-arg-autoshard-…`.
struct Options {
  std::string dump;  ///< the folder for the rewritten texts; empty if they are not dumped
  Control control;
};

/// The path that the text of the file `path` is dumped to. It keeps the subfolders relative to the working
/// folder, or else to the root.
std::string dump_path(const std::string& folder, const std::string& path) {
  const std::filesystem::path full = std::filesystem::absolute(path).lexically_normal();
  const std::filesystem::path below = full.lexically_relative(std::filesystem::current_path());
  const bool is_below = !below.empty() && *below.begin() != "..";
  return (std::filesystem::path(folder) / (is_below ? below : full.relative_path())).generic_string();
}

/// Ends the process if the compiler differs from the one that the plugin was compiled for. Runs before the
/// plugin registers anything, because the classes of another compiler may differ.
[[gnu::constructor(101)]] void refuse_other_compilers() {
  const std::string compiler = clang::getClangFullVersion();
  const std::string fitting = "clang version " CLANG_VERSION_MAJOR_STRING ".";
  if (compiler.find(fitting) != std::string::npos) return;
  std::fprintf(stderr,
               "error: this AutoShard plugin is for Clang " CLANG_VERSION_MAJOR_STRING
               ", and was loaded by %s; compile with clang++-" CLANG_VERSION_MAJOR_STRING
               ", or build AutoShard with the LLVM of that compiler\n",
               compiler.c_str());
  std::_Exit(EXIT_FAILURE);
}

/// Ends the compilation with an error. Suppresses later diagnostics, which may be consequences of it.
void fail(const std::string& reason, clang::DiagnosticsEngine& diagnostics) {
  diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << reason;
  diagnostics.setSuppressAllDiagnostics(true);
}

/// Replaces the annotated files of one compilation before they are read.
class Substitution {
 public:
  Substitution(clang::CompilerInstance& compiler, Options options)
      : compiler_(compiler), sources_(compiler.getSourceManager()), options_(std::move(options)) {
    clang::FileManager& files = compiler.getFileManager();
    files.setVirtualFileSystem(with_generated_names(files.getVirtualFileSystemPtr()));
  }

  /// Called before the first token.
  void begin() {
    if (main_file_mentions_attributes(compiler_)) run();
  }

  /// Called before `file` is read. Finds annotations that begin() could not find, such as behind `#include
  /// MACRO`.
  void before(clang::FileEntryRef file) {
    if (done_) return;
    const auto buffer = sources_.getMemoryBufferForFileOrNone(file);
    if (!buffer || !mentions_attributes(buffer->getBuffer(), compiler_.getLangOpts())) return;
    begun_ = true;
    run();
  }

  /// Called when `file` begins to be read. Maps its lines to those of the user's text.
  void add_line_notes(clang::FileID file) {
    const auto entry = sources_.getFileEntryRefForID(file);
    const auto found = entry ? notes_.find(&entry->getFileEntry()) : notes_.end();
    if (found == notes_.end()) return;
    const clang::SourceLocation begin = sources_.getLocForStartOfFile(file);
    for (const auto& [offset, line] : found->second) {
      // The number is that of the next line, as in a `#line` directive.
      sources_.AddLineNote(begin.getLocWithOffset(static_cast<int>(offset)), line + 1, -1, false, false,
                           sources_.getFileCharacteristic(begin));
    }
  }

  void end() {
    if (!first_error_.empty() && !compiler_.getDiagnostics().hasErrorOccurred())
      fail("the AutoShard plugin cannot read the annotated classes, because of what the compiler accepts: " +
           first_error_);
  }

 private:
  /// Finds the annotated classes, and replaces the texts of their files.
  void run() {
    done_ = true;
    if (const std::string reason = why_not(); !reason.empty()) return fail(reason);
    parse_nested(compiler_, [&](NestedParse& source) {
      first_error_ = source.first_error();
      const auto replacements = run_in_place(source, options_.control, !first_error_.empty());
      if (!replacements && first_error_.empty()) compiler_.getDiagnostics().setSuppressAllDiagnostics(true);
      if (!replacements) return;
      for (const Replacement& one : *replacements) replace(source, one);
      if (!options_.dump.empty()) dump(source.model(), *replacements);
    });
  }

  /// Why the stages cannot run, with advice; empty if they can.
  std::string why_not() const {
    const clang::FrontendInputFile& input = compiler_.getFrontendOpts().Inputs.front();
    if (input.isPreprocessed())
      return "the AutoShard plugin has to read annotated classes before they are preprocessed; compile the "
             "source itself, without -save-temps";
    if (!input.isFile() || input.getFile() == "-")
      return "the AutoShard plugin cannot read the standard input; compile a file";
    if (is_module_unit(sources_.getBufferData(sources_.getMainFileID()), compiler_.getLangOpts()))
      return "the AutoShard plugin cannot read units of modules; generate the companion classes of what they "
             "use with the build step, autoshard_generate(… HEADERS …)";
    if (!compiler_.getLangOpts().CPlusPlus20) return "annotated classes need C++20; compile with -std=c++20";
    return problem_with(options_.control);
  }

  void replace(const NestedParse& source, const Replacement& replacement) {
    const clang::FileEntryRef file = source.entry(replacement.file);
    if (const std::string reason = why_not(source, replacement.file); !reason.empty())
      return fail("the AutoShard plugin cannot rewrite '" + file.getName().str() + "': " + reason);
    notes_[&file.getFileEntry()] = replacement.text.notes;
    sources_.overrideFileContents(
        file, llvm::MemoryBuffer::getMemBufferCopy(replacement.text.text, file.getName()));
    if (!is_main(file)) return;
    // The compiler has already allocated a file of the size of the user's text.
    const clang::SourceLocation begin = sources_.getLocForStartOfFile(sources_.getMainFileID());
    sources_.setMainFileID(
        sources_.createFileID(file, clang::SourceLocation(), sources_.getFileCharacteristic(begin)));
  }

  bool is_main(clang::FileEntryRef file) const {
    return sources_.getFileEntryRefForID(sources_.getMainFileID()) == file;
  }

  /// Why a file of the model cannot be replaced; empty if it can.
  std::string why_not(const NestedParse& source, std::uint32_t file) const {
    const clang::FileEntryRef entry = source.entry(file);
    if (begun_ && (is_main(entry) || sources_.translateFile(entry).isValid()))
      return "it was read before the annotated classes that it uses were found; name their header in the "
             "#include, not a macro";
    if (source.has_line_directives(file))
      return "it has #line directives of its own; use the build step, autoshard_generate(… HEADERS …)";
    return {};
  }

  void dump(const Model& model, const std::vector<Replacement>& replacements) {
    std::vector<OutputFile> outputs;
    for (const Replacement& one : replacements)
      outputs.push_back({dump_path(options_.dump, model.files[one.file].path), one.text.text});
    if (const std::string problem = write_if_changed(outputs); !problem.empty()) fail(problem);
  }

  void fail(const std::string& reason) { tool::fail(reason, compiler_.getDiagnostics()); }

  clang::CompilerInstance& compiler_;
  clang::SourceManager& sources_;
  Options options_;
  bool begun_ = false;       ///< reading has begun
  bool done_ = false;        ///< the annotated classes have been looked for
  std::string first_error_;  ///< the first error of Clang itself
  std::map<const clang::FileEntry*, std::vector<InPlaceText::Note>> notes_;
};

/// Notifies the substitution of the files that the preprocessor reads.
class ReadingObserver : public clang::PPCallbacks {
 public:
  explicit ReadingObserver(std::shared_ptr<Substitution> substitution)
      : substitution_(std::move(substitution)) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (file && !clang::SrcMgr::isSystem(kind)) substitution_->before(*file);
  }

  void LexedFileChanged(clang::FileID file, LexedFileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation) override {
    if (reason == LexedFileChangeReason::EnterFile) substitution_->add_line_notes(file);
  }

 private:
  std::shared_ptr<Substitution> substitution_;
};

class Consumer : public clang::ASTConsumer {
 public:
  explicit Consumer(std::shared_ptr<Substitution> substitution) : substitution_(std::move(substitution)) {}

  void HandleTranslationUnit(clang::ASTContext&) override { substitution_->end(); }

 private:
  std::shared_ptr<Substitution> substitution_;
};

class Plugin : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    if (is_parsing_nested() || !compiler.getLangOpts().CPlusPlus)
      return std::make_unique<clang::ASTConsumer>();
    auto substitution = std::make_shared<Substitution>(compiler, options_);
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<ReadingObserver>(substitution));
    substitution->begin();
    return std::make_unique<Consumer>(substitution);
  }

  bool ParseArgs(const clang::CompilerInstance& compiler,
                 const std::vector<std::string>& arguments) override {
    for (const llvm::StringRef argument : arguments) {
      const auto [name, value] = argument.split('=');
      if (name == "dump" && !value.empty()) {
        options_.dump = value.str();
      } else if (name == "disable" && !value.empty()) {
        options_.control.disabled.push_back(value.str());
      } else if (argument == "werror") {
        options_.control.warnings_are_errors = true;
      } else if (argument == "laws-are-tested") {
        options_.control.laws_are_tested = true;
      } else {
        fail("the AutoShard plugin has no argument '" + argument.str() +
                 "'; there are dump=DIR, disable=RULE, werror and laws-are-tested, each behind "
                 "-fplugin-arg-autoshard-",
             compiler.getDiagnostics());
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  Options options_;
};

const clang::FrontendPluginRegistry::Add<Plugin> kRegistration("autoshard", "compiles annotated classes");

}  // namespace
}  // namespace autoshard::tool
