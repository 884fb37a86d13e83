#include "tool/frontend/proof/called_functions.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

#include "tool/frontend/bodies/path_visitor.h"

namespace autoshard::tool {
namespace {

constexpr const char* kDoesNotCompile = "code that does not compile";

class CallCollector : public BodyVisitor<CallCollector> {
 public:
  CallCollector() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  void add(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function || !function->hasBody(definition) || !seen_.insert(definition).second) return;
    if (definition->isInvalidDecl() || definition->getReturnType()->isUndeducedType())
      found_.obstacle = kDoesNotCompile;
    found_.functions.push_back(const_cast<clang::FunctionDecl*>(definition));
  }

  CalledFunctions run() {
    for (std::size_t at = 0; at < found_.functions.size(); ++at) {
      clang::FunctionDecl* const function = found_.functions[at];
      TraverseStmt(function->getBody());
      if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
        for (const clang::CXXCtorInitializer* init : constructor->inits()) TraverseStmt(init->getInit());
      }
    }
    return std::move(found_);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) AUTOSHARD_OVERRIDE {
    return use(reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) AUTOSHARD_OVERRIDE { return use(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) AUTOSHARD_OVERRIDE {
    add(construct->getConstructor());
    return add_destructor(construct->getType());
  }
  bool VisitVarDecl(clang::VarDecl* variable) AUTOSHARD_OVERRIDE {
    return add_destructor(variable->getType());
  }
  /// `auto [key, value] = pair;` calls `get` in variables that only some versions of Clang show to visitors.
  bool VisitDecompositionDecl(clang::DecompositionDecl* decomposition) AUTOSHARD_OVERRIDE {
    for (const clang::BindingDecl* binding : decomposition->bindings()) {
      const clang::VarDecl* const variable = binding->getHoldingVar();
      if (variable) TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    }
    return true;
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* argument) AUTOSHARD_OVERRIDE {
    return TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* initialiser) AUTOSHARD_OVERRIDE {
    return TraverseStmt(initialiser->getExpr());
  }
  /// What a requires-expression has is never called. Clang cannot generate code for a lambda in it.
  bool TraverseRequiresExpr(clang::RequiresExpr*) AUTOSHARD_OVERRIDE { return true; }
  /// Notes code with errors. Clang generates no code for it, and may crash.
  bool VisitExpr(clang::Expr* expression) AUTOSHARD_OVERRIDE {
    if (expression->containsErrors() && found_.obstacle.empty()) found_.obstacle = kDoesNotCompile;
    return true;
  }
  /// Notes a `try` block. The prover takes each throw for an end of the function, which is wrong for a throw
  /// that is caught.
  bool VisitCXXTryStmt(clang::CXXTryStmt*) AUTOSHARD_OVERRIDE {
    if (found_.obstacle.empty()) found_.obstacle = "a try block";
    return true;
  }

 private:
  bool use(const clang::ValueDecl* declaration) {
    add(llvm::dyn_cast<clang::FunctionDecl>(declaration));
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable && variable->hasGlobalStorage() && !variable->isStaticLocal()) add_constant(*variable);
    return true;
  }

  bool add_destructor(clang::QualType type) {
    const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record && record->hasDefinition()) add(record->getDestructor());
    return true;
  }

  void add_constant(const clang::VarDecl& variable) {
    const clang::VarDecl* definition = nullptr;
    if (!variable.getAnyInitializer(definition) || !definition->getType().isConstQualified()) return;
    if (definition->isInvalidDecl() || definition->getType()->isDependentType()) return;
    if (definition->hasConstantInitialization() && seen_constants_.insert(definition).second)
      found_.constants.push_back(const_cast<clang::VarDecl*>(definition));
  }

  CalledFunctions found_;
  llvm::SmallPtrSet<const clang::FunctionDecl*, 32> seen_;
  llvm::SmallPtrSet<const clang::VarDecl*, 8> seen_constants_;
};

}  // namespace

CalledFunctions called_functions(const std::vector<clang::FunctionDecl*>& functions) {
  CallCollector collector;
  for (const clang::FunctionDecl* function : functions) collector.add(function);
  return collector.run();
}

}  // namespace autoshard::tool
