#include "tool/frontend/effects.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "tool/frontend/standard.h"

namespace autoshard::tool {
namespace {

/// Of the functions of the standard library that are no constant expressions, those that do more than
/// compute with what they are given.
bool is_known_to_act(const clang::FunctionDecl& function) {
  if (function.getDeclName().isIdentifier() && (function.getName() == "now" || function.getName() == "async"))
    return true;
  for (const clang::DeclContext* at = function.getDeclContext(); at; at = at->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(at);
    if (!named || !named->getDeclName().isIdentifier()) continue;
    for (llvm::StringRef name :
         {"filesystem", "function", "this_thread", "thread", "jthread", "random_device"}) {
      if (named->getName() == name) return true;
    }
  }
  return false;
}

/// A variable that outlives the call, and is no constant.
bool is_shared(const clang::VarDecl& variable) {
  return variable.hasGlobalStorage() && !variable.isConstexpr() && !variable.getType().isConstQualified();
}

class EffectReader : public clang::RecursiveASTVisitor<EffectReader> {
 public:
  explicit EffectReader(const Context& context) : context_(context) {}

  std::vector<Escape> run(const clang::FunctionDecl& function) && {
    visited_.push_back(function.getCanonicalDecl());
    TraverseStmt(function.getBody());
    return std::move(effects_);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const clang::ValueDecl& decl = *reference->getDecl();
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl); variable && is_shared(*variable))
      add("uses the variable '" + variable->getNameAsString() + "'", *reference);
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      if (!computes(*function)) add("calls '" + function->getNameAsString() + "'", *reference);
    } else if (decl.getType().getNonReferenceType()->isFunctionPointerType()) {
      add(kUnknown, *reference);
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (!call->getDirectCallee() && !call->isTypeDependent() && !llvm::isa<clang::DeclRefExpr>(callee))
      add(kUnknown, *call);
    return true;
  }

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method && !is_on_this(*call) && !computes(*method))
      add("calls '" + method->getNameAsString() + "'", *call);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) {
    const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
    if (!computes(constructor)) add("makes a '" + constructor.getNameAsString() + "'", *construct);
    return true;
  }

 private:
  static constexpr const char* kUnknown = "calls a function that is only known when it runs";

  /// A call on the same object, whose effects on it are another matter.
  static bool is_on_this(const clang::CXXMemberCallExpr& call) {
    return llvm::isa<clang::CXXThisExpr>(call.getImplicitObjectArgument()->IgnoreParenImpCasts());
  }

  /// Whether all that `function` does is to compute with what it is given.
  bool computes(const clang::FunctionDecl& function) {
    if (function.isConstexpr() || function.isDefaulted() || function.isImplicit()) return true;
    if (function.isNoReturn()) return true;  // a failed assertion has no second run
    if (is_standard(function)) return !is_known_to_act(function);
    if (function.hasAttr<clang::ConstAttr>() || function.hasAttr<clang::PureAttr>()) return true;
    if (!function.hasBody() || function.hasSkippedBody()) return false;
    if (llvm::is_contained(visited_, function.getCanonicalDecl())) return true;  // being looked at
    EffectReader inner(context_);
    inner.visited_ = visited_;
    return std::move(inner).run(*function.getDefinition()).empty();
  }

  void add(std::string what, const clang::Expr& at) {
    effects_.push_back({std::move(what), context_.files.span(at.getSourceRange())});
  }

  const Context& context_;
  std::vector<Escape> effects_;
  llvm::SmallVector<const clang::FunctionDecl*, 4> visited_;
};

}  // namespace

std::vector<Escape> read_effects(const clang::FunctionDecl& function, const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  return EffectReader(context).run(*function.getDefinition());
}

}  // namespace autoshard::tool
