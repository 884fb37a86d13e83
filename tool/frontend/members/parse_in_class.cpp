#include "tool/frontend/members/parse_in_class.h"

#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

#include <atomic>

#include "tool/frontend/compiler/parse_more.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {

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
