#include "tool/frontend/frontend.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/Utils.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <set>
#include <stdexcept>

#include "tool/frontend/compiler/clang_evaluator.h"
#include "tool/frontend/compiler/diagnostic_printer.h"
#include "tool/frontend/compiler/flags.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/proof/clang_prover.h"
#include "tool/frontend/reader.h"
#include "tool/model/resolve.h"

namespace autoshard::tool {
namespace {

using UseHeaders = std::function<void(ParsedHeaders&)>;

/// The main file, which includes the headers. It is in memory only, in the directory of the request.
constexpr char kMainFile[] = "autoshard-headers.cpp";

/// Notes every file that the preprocessor opens.
class FileCollector : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool from_module, bool is_system, bool is_module_file,
                     bool is_missing) override {
    return !name.ends_with(kMainFile) &&
           DependencyCollector::sawDependency(name, from_module, is_system, is_module_file, is_missing);
  }
};

class ParsedInputs : public ParsedHeaders {
 public:
  ParsedInputs(const Files& files, Model model, clang::CompilerInstance& compiler, FileCollector& collector)
      : model_(std::move(model)), files_(files), compiler_(compiler), collector_(collector) {
    // The limit is for errors that follow from one mistake of syntax. Each error of a rule is independent.
    compiler.getDiagnostics().setErrorLimit(0);
  }

  const Model& model() const override { return model_; }

  std::vector<std::string> files_read() const override {
    auto names = collector_.getDependencies();
    std::set<std::string> sorted(names.begin(), names.end());
    return {sorted.begin(), sorted.end()};
  }

  void report(const Diagnostics& diagnostics) override {
    const auto locate = [this](std::uint32_t file, std::uint32_t offset) {
      return files_.location(file, offset);
    };
    tool::report(diagnostics, locate, compiler_.getDiagnostics());
  }

  clang::CompilerInstance& compiler() override { return compiler_; }

  Evaluator& evaluator() override {
    if (!evaluator_) evaluator_ = make_evaluator(compiler_);
    return *evaluator_;
  }

  Prover& prover() override {
    if (!prover_) prover_ = make_prover(compiler_);
    return *prover_;
  }

 private:
  Model model_;
  const Files& files_;
  clang::CompilerInstance& compiler_;
  FileCollector& collector_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Prover> prover_;
};

/// Skips bodies outside of the given headers, unless a law needs them. Most bodies in included headers are of
/// no interest.
class OtherBodiesSkipper : public clang::ASTConsumer {
 public:
  OtherBodiesSkipper(Reader& reader, const BodyNames& wanted) : reader_(reader), wanted_(wanted) {}

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    const Files& files = reader_.files();
    return !files.is_input(decl->getLocation()) &&
           !is_in_bitset_header(files.sources(), decl->getLocation()) && !is_wanted(*decl, wanted_);
  }

 private:
  Reader& reader_;
  const BodyNames& wanted_;
};

class ParseAction : public clang::ASTFrontendAction {
 public:
  ParseAction(const ParseRequest& request, HeaderDiagnostics& diagnostics, const UseHeaders& use,
              Reading& reading)
      : request_(request),
        diagnostics_(diagnostics),
        use_(use),
        reading_(reading),
        collector_(std::make_shared<FileCollector>()) {}

 protected:
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.addDependencyCollector(collector_);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;  // the consumer selects them
    compiler.getFrontendOpts().DisableFree = request_.ends_process;
    std::vector<std::string> inputs = request_.headers;
    if (!request_.source.empty()) inputs.push_back(request_.source);
    reader_ = std::make_unique<Reader>(compiler, inputs, request_.directory);
    diagnostics_.set_files(&reader_->files());
    return std::make_unique<OtherBodiesSkipper>(*reader_, reading_.wanted);
  }

  /// The parser is destroyed before the result is used, so that the evaluator can have its own parser.
  void ExecuteAction() override {
    clang::CompilerInstance& compiler = getCompilerInstance();
    if (!request_.candidates) {
      if (const auto scan = scan_unannotated(compiler, reader_->files())) return use_scan(*scan);
    }
    reader_->add_stand_ins();
    ASTFrontendAction::ExecuteAction();
    if (!compiler.hasSema()) return;
    if (compiler.getDiagnostics().hasErrorOccurred()) {
      reading_.has_failed = !reading_.wanted.empty();
      return say_that_they_are_one();
    }
    Model model = reader_->read(request_.candidates);
    if (reading_.misses_bodies(*reader_)) return;
    diagnostics_.set_silent(false);
    use(std::move(model));
  }

  void EndSourceFileAction() override {
    diagnostics_.set_files(nullptr);
    ASTFrontendAction::EndSourceFileAction();
  }

 private:
  /// Adds a note to errors: headers that no program includes together may not compile together.
  void say_that_they_are_one() {
    if (request_.headers.size() < 2 || !request_.source.empty()) return;
    clang::DiagnosticsEngine& engine = getCompilerInstance().getDiagnostics();
    engine.Report(engine.getCustomDiagID(
        clang::DiagnosticsEngine::Note,
        "the headers given are read together, as if one source included them all; name those that do not go "
        "together in different runs, or in CMake for different targets"));
  }

  /// Uses the result of the scan instead of parsing. All scanned files are dependencies of the output.
  void use_scan(const Scan& scan) {
    for (const clang::FileEntryRef file : scan.files)
      collector_->maybeAddDependency(file.getName(), false, false, false, false);
    use(reader_->read_unannotated(scan));
  }

  void use(Model model) {
    const OtherUnits others{.source = request_.source,
                            .define_the_rest = !request_.source.empty(),
                            .defined = request_.defined_elsewhere};
    ParsedInputs parsed(reader_->files(), resolve(std::move(model), others), getCompilerInstance(),
                        *collector_);
    use_(parsed);
  }

  const ParseRequest& request_;
  HeaderDiagnostics& diagnostics_;
  const UseHeaders& use_;
  Reading& reading_;
  std::shared_ptr<FileCollector> collector_;
  std::unique_ptr<Reader> reader_;
};

std::string absolute(llvm::StringRef path, llvm::StringRef directory) {
  llvm::SmallString<256> result(path);
  make_absolute(directory, result);
  return result.str().str();
}

/// The files of the translation unit: the headers or the source.
std::vector<std::string> parsed_files(const ParseRequest& request) {
  return request.source.empty() ? request.headers : std::vector{request.source};
}

ParseRequest with_directory(ParseRequest request) {
  if (!request.directory.empty()) return request;
  llvm::SmallString<256> current;
  if (!llvm::sys::fs::current_path(current)) request.directory = current.str().str();
  return request;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system_of(const ParseRequest& request) {
  auto in_memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  std::string main_text;
  for (const std::string& file : parsed_files(request)) {
    main_text += "#include \"" + absolute(file, request.directory) + "\"\n";
  }
  in_memory->addFile(absolute(kMainFile, request.directory), 0,
                     llvm::MemoryBuffer::getMemBufferCopy(main_text));
  for (const auto& [path, text] : request.contents) {
    in_memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  }
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(in_memory);
  return overlay;
}

/// Returns whether there was no error.
bool read(const ParseRequest& request, const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& file_system,
          llvm::raw_ostream& errors, const UseHeaders& use, Reading& reading) {
  clang::FileSystemOptions options;
  options.WorkingDir = request.directory;
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(options, file_system);
  HeaderDiagnostics diagnostics(errors);
  diagnostics.set_silent(!reading.wanted.empty());
  clang::tooling::ToolInvocation invocation(command_line(request.flags, kMainFile),
                                            std::make_unique<ParseAction>(request, diagnostics, use, reading),
                                            files.get());
  invocation.setDiagnosticConsumer(&diagnostics);
  return invocation.run() && diagnostics.getNumErrors() == 0;
}

}  // namespace

bool parse(const ParseRequest& given, llvm::raw_ostream& errors, const UseHeaders& use) {
  const ParseRequest request = with_directory(given);
  auto file_system = file_system_of(request);
  Reading reading;
  for (const std::string& file : parsed_files(request)) {
    if (file_system->exists(absolute(file, request.directory))) continue;
    errors << "error: no such file: '" << file << "'\n";
    return false;
  }
  bool is_right = false;
  do is_right = read(request, file_system, errors, use, reading);
  while (read_again(reading));
  return is_right;
}

std::vector<std::string> flags_from_build(const std::string& build, const std::string& header) {
  std::string error;
  auto database = clang::tooling::CompilationDatabase::loadFromDirectory(build, error);
  if (!database) throw std::runtime_error(error);
  database = clang::tooling::inferMissingCompileCommands(std::move(database));
  auto commands = database->getCompileCommands(header);
  if (commands.empty()) throw std::runtime_error("the compilation database in '" + build + "' is empty");
  std::vector<std::string> flags = std::move(commands.front().CommandLine);
  flags.erase(flags.begin());  // the compiler
  return with_absolute_includes(std::move(flags), commands.front().Directory);
}

}  // namespace autoshard::tool
