#include "plant.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/compiler/flags.h"
#include "tool/frontend/compiler/versions.h"

namespace autoshard::test {
namespace {

constexpr char kMainFile[] = "/autoshard-real-headers.cpp";

/// Finds the places for the annotations.
class Planter : public tool::SyntaxVisitor<Planter> {
 public:
  Planter(const clang::ASTContext& ast, const std::set<std::string>& known)
      : sources_(ast.getSourceManager()), language_(ast.getLangOpts()), known_(known) {}

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) AUTOSHARD_OVERRIDE {
    const clang::SourceLocation key = record->getInnerLocStart();
    if (!record->isThisDeclarationADefinition() || record->isImplicit() || record->isLambda() ||
        key.isMacroID() || record->getLocation().isMacroID() ||
        llvm::isa<clang::ClassTemplatePartialSpecializationDecl>(record) || is_instantiation(*record))
      return true;
    const std::string place = place_of(key);
    if (place.empty() || known_.contains(place)) return true;
    classes_.push_back(place);
    insert(clang::Lexer::getLocForEndOfToken(key, 0, sources_, language_), " [[autoshard::entity]]");
    bool has_id = false;
    for (const clang::FieldDecl* field : record->fields()) {
      if (field->isAnonymousStructOrUnion() || field->isBitField()) continue;
      annotate(*field, has_id ? "shardable(neutral = {}, shards = 2)" : "id");
      has_id = true;
    }
    for (const clang::Decl* decl : record->decls()) {
      const auto* of_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl);
      const auto* method =
          llvm::dyn_cast<clang::CXXMethodDecl>(of_template ? of_template->getTemplatedDecl() : decl);
      if (!method || method->isImplicit() || method->isDefaulted() || method->isDeleted() ||
          llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method))
        continue;
      if (!method->isStatic()) annotate(*method, "shard_method");
      if (method->isStatic() && method->getNumParams() == 2) annotate(*method, "shard_fold");
    }
    return true;
  }

  /// The texts of all files, with the annotations. No file is one of the system's: neither by its own pragma,
  /// nor by that of a file that includes it.
  std::map<std::string, std::string> texts() {
    std::map<std::string, std::string> result;
    for (const auto& [file, insertions] : insertions_) {
      std::string text = sources_.getBufferData(file).str();
      for (auto at = insertions.rbegin(); at != insertions.rend(); ++at) text.insert(at->first, at->second);
      result[path_of(file)] = std::move(text);
    }
    for (const auto& [file, cache] : llvm::make_range(sources_.fileinfo_begin(), sources_.fileinfo_end())) {
      const std::string path = file.getFileEntry().tryGetRealPathName().str();
      const std::optional<llvm::StringRef> text = cache->getBufferDataIfLoaded();
      if (!path.empty() && text) result.try_emplace(path, text->str());
    }
    for (auto& [path, text] : result) {
      constexpr std::string_view kSystem = "GCC system_header";
      for (std::size_t at = text.find(kSystem); at != std::string::npos; at = text.find(kSystem, at))
        text.replace(at, kSystem.size(), kSystem.size(), ' ');
    }
    return result;
  }

  std::vector<std::string> classes() && { return std::move(classes_); }

 private:
  /// `extern template class X<int>;` has a definition, but not at this place.
  static bool is_instantiation(const clang::CXXRecordDecl& record) {
    return clang::isTemplateInstantiation(record.getTemplateSpecializationKind());
  }

  std::string path_of(clang::FileID file) const {
    const auto entry = sources_.getFileEntryRefForID(file);
    return entry ? entry->getFileEntry().tryGetRealPathName().str() : std::string();
  }

  /// A file that does not stand on disk has no name here.
  std::string place_of(clang::SourceLocation location) const {
    const auto [file, offset] = sources_.getDecomposedLoc(location);
    const std::string path = path_of(file);
    return path.empty() ? path
                        : path + ":" + std::to_string(sources_.getLineNumber(file, offset)) + ":" +
                              std::to_string(sources_.getColumnNumber(file, offset));
  }

  void annotate(const clang::DeclaratorDecl& decl, const std::string& attribute) {
    if (decl.getLocation().isMacroID()) return;
    clang::SourceLocation begin = decl.getBeginLoc();
    if (begin.isMacroID()) {
      // `API void f()`: the macro stands where the declaration begins.
      if (!sources_.isAtStartOfImmediateMacroExpansion(begin)) return;
      begin = sources_.getExpansionLoc(begin);
    }
    insert(begin, "[[autoshard::" + attribute + "]] ");
  }

  /// Several declarators have one beginning.
  void insert(clang::SourceLocation location, const std::string& text) {
    if (location.isInvalid() || location.isMacroID()) return;
    const auto [file, offset] = sources_.getDecomposedLoc(location);
    if (!path_of(file).empty()) insertions_[file].try_emplace(offset, text);
  }

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  const std::set<std::string>& known_;
  std::map<clang::FileID, std::map<unsigned, std::string>> insertions_;
  std::vector<std::string> classes_;
};

class PlantAction : public clang::ASTFrontendAction {
 public:
  PlantAction(Planted& planted, const std::set<std::string>& known) : planted_(planted), known_(known) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }

  void ExecuteAction() override {
    ASTFrontendAction::ExecuteAction();
    clang::CompilerInstance& compiler = getCompilerInstance();
    if (compiler.getDiagnostics().hasErrorOccurred()) return;
    Planter planter(compiler.getASTContext(), known_);
    planter.TraverseDecl(compiler.getASTContext().getTranslationUnitDecl());
    planted_.texts = planter.texts();
    planted_.classes = std::move(planter).classes();
    planted_.problem.clear();
  }

 private:
  Planted& planted_;
  const std::set<std::string>& known_;
};

}  // namespace

Planted plant(const std::string& text, const std::vector<std::string>& flags,
              const std::set<std::string>& known) {
  Planted planted;
  planted.problem = "does not compile by itself";
  auto in_memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  in_memory->addFile(kMainFile, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(in_memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  clang::tooling::ToolInvocation invocation(tool::command_line(flags, kMainFile),
                                            std::make_unique<PlantAction>(planted, known), files.get());
  clang::IgnoringDiagConsumer silence;
  invocation.setDiagnosticConsumer(&silence);
  invocation.run();
  return planted;
}

}  // namespace autoshard::test
