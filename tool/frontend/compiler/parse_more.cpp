#include "tool/frontend/compiler/parse_more.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <string>

#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {

clang::CXXRecordDecl* declare_nested(clang::CXXRecordDecl& record, std::string_view name) {
  clang::ASTContext& ast = record.getASTContext();
  auto* declared =
      clang::CXXRecordDecl::Create(ast, clang::TagTypeKind::Struct, &record, record.getLocation(),
                                   record.getLocation(), &ast.Idents.get(name));
  record.addDecl(declared);
  return declared;
}

std::vector<clang::Decl*> parse_more(clang::Sema& sema, std::string_view text) {
  clang::Preprocessor& preprocessor = sema.getPreprocessor();
  const clang::FileID file = preprocessor.getSourceManager().createFileID(
      llvm::MemoryBuffer::getMemBufferCopy(text, "autoshard-laws.cpp"));
  preprocessor.EnterSourceFile(file, nullptr, clang::SourceLocation());
  clang::Parser parser(preprocessor, sema, false);
  parser.Initialize();
  std::vector<clang::Decl*> parsed;
  clang::Parser::DeclGroupPtrTy group;
  clang::Sema::ModuleImportState imports = clang::Sema::ModuleImportState::NotACXX20Module;
  for (bool at_end = parser.ParseFirstTopLevelDecl(group, imports); !at_end;
       at_end = parser.ParseTopLevelDecl(group, imports)) {
    if (!group) continue;
    for (clang::Decl* decl : group.get()) parsed.push_back(decl);
  }
  return parsed;
}

std::string parse_in_class(clang::Sema& sema, clang::CXXRecordDecl& scope, std::string_view members,
                           llvm::function_ref<void(const clang::CXXRecordDecl&)> use) {
  static std::atomic<unsigned> number = 0;
  const std::string name = "AutoshardPart" + std::to_string(++number);
  FirstError errors;
  const DiagnosticsDetour detour(sema.getDiagnostics(), errors);
  clang::CXXRecordDecl* nested = declare_nested(scope, name);
  nested->setImplicit();  // readers of the class skip implicit members
  std::string text = "struct " + qualified(declared_type(scope), sema.getASTContext()) + "::" + name + " { ";
  text += members;
  parse_more(sema, text + " };\n");
  const clang::CXXRecordDecl* parsed = nested->getDefinition();
  std::string problem = errors.message();
  if (!parsed && problem.empty()) problem = "the compiler cannot parse it";
  if (problem.empty()) use(*parsed);
  scope.removeDecl(nested);
  return problem;
}

}  // namespace autoshard::tool
