#include "tool/frontend/nested_parse.h"

#include <clang/Basic/SourceManagerInternals.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendOptions.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/SaveAndRestore.h>

#include "tool/frontend/compiler/clang_evaluator.h"
#include "tool/frontend/compiler/diagnostic_printer.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/proof/clang_prover.h"
#include "tool/frontend/reader.h"
#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/frontend/tokens/mentions.h"
#include "tool/model/resolve.h"

namespace autoshard::tool {
namespace {

using UseNestedParse = std::function<void(NestedParse&)>;

bool is_reading = false;

/// Keeps the first error before the end of the last annotated class, and prints none. An error behind that
/// class may disappear: code there may use members that only the companions have. The outer compiler reports
/// the errors that remain.
class FirstErrorInClasses : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error || !text_.empty()) return;
    if (later_.empty()) {
      llvm::SmallString<128> message;
      info.FormatDiagnostic(message);
      if (info.getLocation().isValid())
        later_ = info.getLocation().printToString(info.getSourceManager()) + ": ";
      later_ += message;
    }
    if (level == clang::DiagnosticsEngine::Fatal) text_ = later_;  // the rest of the file was not read
  }

  /// Notes the end of an annotated class.
  void note_class() {
    if (text_.empty()) text_ = later_;
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_, later_;
};

class ParsedUnit : public NestedParse {
 public:
  ParsedUnit(const Files& files, Model model, clang::CompilerInstance& compiler,
             clang::CompilerInstance& outer, const std::string& first_error)
      : model_(std::move(model)),
        files_(files),
        compiler_(compiler),
        outer_(outer),
        first_error_(first_error) {}

  const Model& model() const override { return model_; }
  const std::string& first_error() const override { return first_error_; }
  clang::FileEntryRef entry(std::uint32_t file) const override { return files_.entry(file); }

  bool has_line_directives(std::uint32_t file) const override {
    clang::SourceManager& sources = compiler_.getSourceManager();
    const clang::FileID id = sources.translateFile(entry(file));
    const auto has_some = [&](const auto& notes) { return notes.first == id && !notes.second.empty(); };
    return sources.hasLineTable() && llvm::any_of(sources.getLineTable(), has_some);
  }

  void report(const Diagnostics& diagnostics) override {
    const auto locate = [this](std::uint32_t file, std::uint32_t offset) {
      return place(file).getLocWithOffset(static_cast<int>(offset));
    };
    tool::report(diagnostics, locate, outer_.getDiagnostics());
  }

  Evaluator& evaluator() override {
    if (!evaluator_) evaluator_ = make_evaluator(compiler_);
    return *evaluator_;
  }

  Prover& prover() override {
    if (!prover_) prover_ = make_prover(compiler_);
    return *prover_;
  }

 private:
  /// The begin of a copy of `file` in the outer compiler. The outer compiler reads `file` later, and then
  /// with another text.
  clang::SourceLocation place(std::uint32_t file) {
    clang::SourceManager& sources = outer_.getSourceManager();
    clang::FileID& copy = copies_[file];
    if (copy.isInvalid()) {
      const SourceFile& source = model_.files[file];
      copy = sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(source.text, source.path));
    }
    return sources.getLocForStartOfFile(copy);
  }

  Model model_;
  const Files& files_;
  clang::CompilerInstance& compiler_;
  clang::CompilerInstance& outer_;
  const std::string& first_error_;
  llvm::DenseMap<std::uint32_t, clang::FileID> copies_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Prover> prover_;
};

/// Adds each entered file that is no system header to the inputs. Notes the files that mention attributes.
class InputCollector : public clang::PPCallbacks {
 public:
  using Annotated = llvm::DenseSet<const clang::FileEntry*>;

  InputCollector(clang::CompilerInstance& compiler, Files& files, Annotated& annotated)
      : sources_(compiler.getSourceManager()),
        language_(compiler.getLangOpts()),
        files_(files),
        annotated_(annotated) {}

  void FileChanged(clang::SourceLocation location, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind kind, clang::FileID) override {
    if (reason != EnterFile || clang::SrcMgr::isSystem(kind)) return;
    const clang::FileID file = sources_.getFileID(location);
    const auto entry = sources_.getFileEntryRefForID(file);
    if (!entry) return;
    files_.add_input(*entry);
    if (mentions_attributes(sources_.getBufferData(file), language_))
      annotated_.insert(&entry->getFileEntry());
  }

 private:
  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  Files& files_;
  Annotated& annotated_;
};

/// Skips bodies that are of no interest. It keeps the bodies of methods of annotated classes and of their
/// friends. For the laws, it also keeps other bodies in the same files. A precompiled header has kept all its
/// bodies, maybe those of the mapper, too. Other bodies must not reach these, so they are skipped then.
class BodySkipper : public clang::ASTConsumer {
 public:
  BodySkipper(const clang::CompilerInstance& compiler, const InputCollector::Annotated& annotated,
              const BodyNames& wanted, FirstErrorInClasses& errors)
      : sources_(compiler.getSourceManager()),
        annotated_(annotated),
        wanted_(wanted),
        errors_(errors),
        precompiled_(!compiler.getPreprocessorOpts().ImplicitPCHInclude.empty()) {}

  void HandleTagDeclDefinition(clang::TagDecl* decl) override {
    if (is_of_annotated(decl)) errors_.note_class();
  }

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    if (is_of_annotated(decl->getDeclContext()) || is_of_annotated(decl->getLexicalDeclContext()))
      return false;
    if (is_in_bitset_header(sources_, decl->getLocation())) return false;
    if (precompiled_) return true;
    if (is_wanted(*decl, wanted_)) return false;
    const auto file =
        sources_.getFileEntryRefForID(sources_.getFileID(sources_.getExpansionLoc(decl->getLocation())));
    return !file || !annotated_.contains(&file->getFileEntry());
  }

 private:
  /// Whether the scope is in an annotated class. A method defined behind its class belongs to the class. A
  /// friend stands in the class.
  static bool is_of_annotated(const clang::DeclContext* scope) {
    for (; scope; scope = scope->getParent()) {
      const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(scope);
      if (record && !attributes_of(*record).empty()) return true;
    }
    return false;
  }

  const clang::SourceManager& sources_;
  const InputCollector::Annotated& annotated_;
  const BodyNames& wanted_;
  FirstErrorInClasses& errors_;
  const bool precompiled_;
};

class ReadAction : public clang::ASTFrontendAction {
 public:
  ReadAction(clang::CompilerInstance& outer, FirstErrorInClasses& errors, const UseNestedParse& use,
             Reading& reading)
      : outer_(outer), errors_(errors), use_(use), reading_(reading) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    reader_ = std::make_unique<Reader>(compiler, std::vector<std::string>(), "");
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<InputCollector>(compiler, reader_->files(), annotated_));
    return std::make_unique<BodySkipper>(compiler, annotated_, reading_.wanted, errors_);
  }

  /// The parser is destroyed before the result is used, so that the evaluator can have its own parser.
  void ExecuteAction() override {
    reader_->add_stand_ins();
    ASTFrontendAction::ExecuteAction();
    if (!getCompilerInstance().hasSema()) return;
    Model model = resolve(reader_->read(/*candidates=*/false), {.define_the_rest = true});
    reading_.has_failed = !reading_.wanted.empty() && !errors_.text().empty();
    if (reading_.has_failed || reading_.misses_bodies(*reader_)) return;
    for (std::uint32_t file = 0; file < model.files.size(); ++file)
      model.files[file].form = is_main(file) ? Form::kMainInPlace : Form::kIncludedInPlace;
    ParsedUnit parsed(reader_->files(), std::move(model), getCompilerInstance(), outer_, errors_.text());
    use_(parsed);
  }

 private:
  /// Whether `file` is the file that the outer compiler compiles. A header that is precompiled is rewritten
  /// as any included header.
  bool is_main(std::uint32_t file) const {
    const clang::SourceManager& sources = outer_.getSourceManager();
    return !outer_.getFrontendOpts().Inputs.front().isHeader() && reader_->files().files()[file].is_input &&
           sources.getFileEntryRefForID(sources.getMainFileID()) == reader_->files().entry(file);
  }

  clang::CompilerInstance& outer_;
  FirstErrorInClasses& errors_;
  const UseNestedParse& use_;
  Reading& reading_;
  InputCollector::Annotated annotated_;
  std::unique_ptr<Reader> reader_;
};

/// The invocation of `compiler`, without all options that produce output.
std::shared_ptr<clang::CompilerInvocation> silent_invocation(clang::CompilerInstance& compiler) {
  auto invocation = std::make_shared<clang::CompilerInvocation>(compiler.getInvocation());
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  frontend.SkipFunctionBodies = true;  // the consumer selects them
  frontend.DisableFree = false;
  frontend.ShowStats = false;
  frontend.StatsFile.clear();
  frontend.OutputFile.clear();
  invocation->getDependencyOutputOpts() = {};
  invocation->getHeaderSearchOpts().Verbose = false;
  invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  invocation->getLangOpts().CommentOpts.ParseAllComments = true;
  invocation->getLangOpts().SpellChecking = false;
  clang::DiagnosticOptions& diagnostics = invocation->getDiagnosticOpts();
  diagnostics.ErrorLimit = 0;
  diagnostics.IgnoreWarnings = true;
  diagnostics.ShowCarets = false;  // also hides the number of errors
  diagnostics.VerifyDiagnostics = false;
  diagnostics.DiagnosticSerializationFile.clear();
  return invocation;
}

}  // namespace

bool is_parsing_nested() { return is_reading; }

void parse_nested(clang::CompilerInstance& outer, const UseNestedParse& use) {
  const llvm::SaveAndRestore<bool> mark(is_reading, true);
  Reading reading;
  do {
    FirstErrorInClasses errors;
    const auto compiler = compiler_beside(outer, silent_invocation(outer), errors);
    ReadAction action(outer, errors, use, reading);
    compiler->ExecuteAction(action);
  } while (read_again(reading));
}

}  // namespace autoshard::tool
