#include "tool/frontend/bodies/callees.h"

#include <clang/AST/Attr.h>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Whether the type is `T&&`, or a pack of them, where T is a parameter of the template. A parameter of this
/// type forwards its argument.
bool forwards(clang::QualType type) {
  if (const auto* pack = type->getAs<clang::PackExpansionType>()) type = pack->getPattern();
  const auto* reference = type->getAs<clang::RValueReferenceType>();
  return reference && reference->getPointeeType()->isTemplateTypeParmType() &&
         !reference->getPointeeType().isConstQualified();
}

/// Whether the function may write one of its arguments.
bool fills_an_argument(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  return llvm::any_of((pattern ? *pattern : function).parameters(), [](const clang::ParmVarDecl* parameter) {
    const clang::QualType pointee = parameter->getType()->getPointeeType();
    return !pointee.isNull() && !pointee.isConstQualified() && !forwards(parameter->getType());
  });
}

/// The data member that a local variable is initialised with; null if its initialiser is another expression.
const clang::Expr* member_copied_to(const clang::ValueDecl& holder) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&holder);
  if (!variable || !variable->isLocalVarDecl() || !variable->getInit()) return nullptr;
  const clang::Expr* copied = variable->getInit()->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  return llvm::isa<clang::MemberExpr>(copied) ? copied : nullptr;
}

/// The expression before all `->` and `*`: `g` of `g->hit()`, `instance()` of `(*instance()).hit()`. Pointers
/// and smart pointers count.
const clang::Expr& origin_of(const clang::Expr& object) {
  const clang::Expr* at = object.IgnoreParenImpCasts();
  while (true) {
    const clang::Expr* next = nullptr;
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at)) {
      if (call->getOperator() == clang::OO_Arrow || call->getOperator() == clang::OO_Star)
        next = call->getArg(0);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      if (unary->getOpcode() == clang::UO_Deref) next = unary->getSubExpr();
    } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(at)) {
      next = temporary->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(at)) {
      next = bound->getSubExpr();
    }
    if (!next) return *at;
    at = next->IgnoreParenImpCasts();
  }
}

}  // namespace

bool leaves_its_object_alone(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return !method || method->isStatic() || method->isConst();
}

bool is_for_its_result(const clang::FunctionDecl& function) {
  return !function.getReturnType()->isVoidType() || fills_an_argument(function) ||
         !leaves_its_object_alone(function) ||
         llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
}

const clang::FunctionDecl* read_definition(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = nullptr;
  if (function.hasBody(definition) && !definition->hasSkippedBody()) return definition;
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  return pattern && pattern->hasBody(definition) && !definition->hasSkippedBody() ? definition : nullptr;
}

bool is_made_by_compiler(const clang::FunctionDecl& function) {
  return function.isDefaulted() || function.isImplicit();
}

bool may_be_overridden(const clang::CXXMemberCallExpr& call, const clang::CXXMethodDecl& method) {
  if (!method.isVirtual() || is_library_declaration(method) || method.hasAttr<clang::PureAttr>())
    return false;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens());
  return member && !member->hasQualifier() &&
         !method.getDevirtualizedMethod(call.getImplicitObjectArgument(), false);
}

const clang::CallExpr* unread_accessor(const clang::Expr& object) {
  const clang::Expr& origin = origin_of(object);
  const bool is_pointer = &origin != object.IgnoreParenImpCasts() || object.getType()->isPointerType();
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&origin);
  const clang::FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
  if (!function || call->getNumArgs() > 0 || is_standard(*function) || read_definition(*function))
    return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const clang::QualType type = function->getReturnType()->getPointeeType();
  const bool is_shared = type.isNull() ? is_pointer : !type.isConstQualified();
  return is_shared && (!method || method->isStatic()) ? call : nullptr;
}

const clang::Expr& whole_of(const clang::Expr& part) {
  const clang::Expr* at = part.IgnoreParenImpCasts();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at))
    at = member->getBase()->IgnoreParenImpCasts();
  return *at;
}

std::string key_of(const clang::FunctionDecl& function) {
  return function.getQualifiedNameAsString() + " " + function.getType().getCanonicalType().getAsString();
}

const clang::ValueDecl* holder_of(const clang::Expr& object) {
  const clang::Expr* at = &object;
  while (true) {
    at = at->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
      const clang::Expr* copied = member_copied_to(*reference->getDecl());
      if (!copied) return reference->getDecl();
      at = copied;
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      return member->getMemberDecl();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      at = unary->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(at);
               binary && binary->isPtrMemOp()) {
      at = binary->getRHS();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      at = element->getBase();
    } else if (const auto* access = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at)) {
      at = access->getArg(0);
    } else {
      return nullptr;
    }
  }
}

}  // namespace autoshard::tool
