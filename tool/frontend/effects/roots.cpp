#include "tool/frontend/effects/roots.h"

#include <clang/AST/ExprCXX.h>

#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Whether a method leads to an element. `operator[]` of a map counts: only the keys of its calls decide
/// about the size.
bool leads_to_element(const clang::FunctionDecl* callee) {
  return is_access(callee) ||
         (callee && callee->getOverloadedOperator() == clang::OO_Subscript && is_standard(*callee));
}

}  // namespace

const clang::Expr& root_of(const clang::Expr& expression) {
  bool is_element = false;
  return root_of(expression, is_element);
}

const clang::Expr& root_of(const clang::Expr& expression, bool& is_element) {
  const clang::Expr* at = &expression;
  while (true) {
    at = at->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      is_element = true;
      at = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      at = element->getBase();
      is_element = is_element || at->IgnoreParenImpCasts()->getType()->isArrayType();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      at = unary->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(at);
               binary && (binary->isAssignmentOp() || binary->isAdditiveOp())) {
      at = binary->getLHS();
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at)) {
      // The result is assumed to belong to the object, or to the first argument.
      const Call parts = *call_of(*call);
      if (!parts.object && parts.arguments.empty()) return *at;
      is_element = is_element || (parts.object && leads_to_element(parts.callee));
      at = parts.object ? parts.object : parts.arguments.front();
    } else {
      return *at;
    }
  }
}

}  // namespace autoshard::tool
