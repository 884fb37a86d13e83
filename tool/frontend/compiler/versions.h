#pragma once

/// Where the versions of Clang differ that the generator is made for.

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/Version.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateDeduction.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Value.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#if CLANG_VERSION_MAJOR >= 22
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Options/Options.h>
#else
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Driver/Options.h>
#endif

namespace autoshard::tool {

/// The options of the compiler's command line.
#if CLANG_VERSION_MAJOR >= 22
namespace driver_options = clang::options;
using clang::getDriverOptTable;
#else
namespace driver_options = clang::driver::options;
using clang::driver::getDriverOptTable;
#endif

/// Visits declarations and statements by `Visit…` and `Traverse…`, as clang::RecursiveASTVisitor does. Where
/// Clang has the visitor with virtual functions, `Derived` compiles in a fraction of the time.
/// AUTOSHARD_OVERRIDE says there that a function of `Derived` is one of the visitor's.
#if CLANG_VERSION_MAJOR >= 22
#define AUTOSHARD_OVERRIDE override
template <class Derived>
class SyntaxVisitor : public clang::DynamicRecursiveASTVisitor {};
#else
#define AUTOSHARD_OVERRIDE
template <class Derived>
class SyntaxVisitor : public clang::RecursiveASTVisitor<Derived> {
 public:
  bool ShouldVisitTemplateInstantiations = false;
  bool ShouldVisitImplicitCode = false;

  bool shouldVisitTemplateInstantiations() const { return ShouldVisitTemplateInstantiations; }
  bool shouldVisitImplicitCode() const { return ShouldVisitImplicitCode; }
};
#endif

/// An attribute that does nothing to a statement. The rule autoshard-misplaced finds it there in the tokens,
/// so Clang must not refuse it.
struct AttributeOfDeclarations : clang::ParsedAttrInfo {
#if CLANG_VERSION_MAJOR >= 22
  AttrHandling handleStmtAttribute(clang::Sema&, clang::Stmt*, const clang::ParsedAttr&,
                                   clang::Attr*&) const override {
    return AttributeNotApplied;
  }
#endif
};

/// `options` as a renderer of diagnostics takes them, which must not delete them.
#if CLANG_VERSION_MAJOR >= 22
inline clang::DiagnosticOptions& for_renderer(clang::DiagnosticOptions& options) { return options; }
#else
inline clang::DiagnosticOptions* for_renderer(clang::DiagnosticOptions& options) {
  options.Retain();  // renderers count it
  return &options;
}
#endif

/// The type that `record` declares, under its own name.
inline clang::QualType declared_type(const clang::CXXRecordDecl& record) {
  const clang::ASTContext& ast = record.getASTContext();
#if CLANG_VERSION_MAJOR >= 22
  return clang::QualType(ast.getCanonicalTagType(&record));
#else
  return ast.getRecordType(&record);
#endif
}

/// Makes `path` absolute, seen from `directory`.
inline void make_absolute(llvm::StringRef directory, llvm::SmallVectorImpl<char>& path) {
#if CLANG_VERSION_MAJOR >= 22
  llvm::sys::path::make_absolute(directory, path);
#else
  llvm::sys::fs::make_absolute(directory, path);
#endif
}

/// How a class or enumeration is spelled as a type: `class forum::Admin`.
struct TagSpelling {
  clang::SourceLocation keyword;  ///< invalid where there is none
  bool is_qualified = false;
  clang::SourceLocation name;
};

/// Nothing for any other type.
inline std::optional<TagSpelling> tag_spelling(clang::TypeLoc type) {
#if CLANG_VERSION_MAJOR >= 22
  const auto tag = type.getAs<clang::TagTypeLoc>();
  if (!tag) return std::nullopt;
  const bool is_qualified(type.getType()->castAs<clang::TagType>()->getQualifier());
  return TagSpelling{tag.getElaboratedKeywordLoc(), is_qualified, tag.getNameLoc()};
#else
  const auto elaborated = type.getAs<clang::ElaboratedTypeLoc>();
  const auto tag = (elaborated ? elaborated.getNamedTypeLoc() : type).getAs<clang::TagTypeLoc>();
  if (!tag) return std::nullopt;
  if (!elaborated) return TagSpelling{{}, false, tag.getNameLoc()};
  return TagSpelling{elaborated.getElaboratedKeywordLoc(), elaborated.getQualifierLoc().hasQualifier(),
                     tag.getNameLoc()};
#endif
}

/// Lets `policy` leave out the inline namespaces of the standard library, which differ from one to the next.
inline void suppress_inline_namespaces(clang::PrintingPolicy& policy) {
#if CLANG_VERSION_MAJOR >= 22
  policy.SuppressInlineNamespace =
      llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
#else
  policy.SuppressInlineNamespace = true;
#endif
}

/// A second compiler instance in the process of `outer`, which sees the same files.
inline std::unique_ptr<clang::CompilerInstance> compiler_beside(
    clang::CompilerInstance& outer, std::shared_ptr<clang::CompilerInvocation> invocation,
    clang::DiagnosticConsumer& diagnostics) {
#if CLANG_VERSION_MAJOR >= 22
  auto compiler =
      std::make_unique<clang::CompilerInstance>(std::move(invocation), outer.getPCHContainerOperations());
  compiler->setVirtualFileSystem(outer.getFileManager().getVirtualFileSystemPtr());
  compiler->createDiagnostics(&diagnostics, false);
  compiler->setFileManager(outer.getFileManagerPtr());
  compiler->createSourceManager();
#else
  auto compiler = std::make_unique<clang::CompilerInstance>(outer.getPCHContainerOperations());
  compiler->setInvocation(std::move(invocation));
  compiler->createDiagnostics(&diagnostics, false);
  compiler->setFileManager(&outer.getFileManager());
  compiler->createSourceManager(outer.getFileManager());
#endif
  return compiler;
}

/// What turns declarations of `compiler` into LLVM's IR. `options` must outlive it.
inline std::unique_ptr<clang::CodeGenerator> code_generator(clang::CompilerInstance& compiler,
                                                            const clang::CodeGenOptions& options,
                                                            llvm::LLVMContext& context) {
#if CLANG_VERSION_MAJOR >= 22
  const auto files = compiler.getVirtualFileSystemPtr();
#else
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files(&compiler.getVirtualFileSystem());
#endif
  return std::unique_ptr<clang::CodeGenerator>(
      clang::CreateLLVMCodeGen(compiler.getDiagnostics(), "laws", files, compiler.getHeaderSearchOpts(),
                               compiler.getPreprocessorOpts(), options, context));
}

/// What `GEPOperator::collectOffset` fills: the values that an address depends on, with the size of a step.
#if CLANG_VERSION_MAJOR >= 22
using StepsOfAddress = llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4>;
#else
using StepsOfAddress = llvm::MapVector<llvm::Value*, llvm::APInt>;
#endif

/// Whether `partial` is for a template argument list of `type` alone.
inline bool is_specialised_for(clang::Sema& sema, clang::ClassTemplatePartialSpecializationDecl& partial,
                               clang::QualType type) {
  clang::sema::TemplateDeductionInfo info(partial.getLocation());
  const clang::TemplateArgument argument(type.getCanonicalType().getUnqualifiedType());
  return sema.DeduceTemplateArguments(&partial, argument, info) == clang::TemplateDeductionResult::Success;
}

}  // namespace autoshard::tool
