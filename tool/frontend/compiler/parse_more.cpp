#include "tool/frontend/compiler/parse_more.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/MemoryBuffer.h>

#include <string>

#include "tool/frontend/compiler/versions.h"

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

}  // namespace autoshard::tool
