#include "tool/frontend/bodies/calls.h"

#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Whether the callee may write its argument through this type. `T&&` of a template only forwards the
/// argument.
bool may_fill(clang::QualType parameter) {
  if (const auto* pack = parameter->getAs<clang::PackExpansionType>()) parameter = pack->getPattern();
  const clang::QualType pointee = parameter->getPointeeType();
  return !pointee.isNull() && !pointee.isConstQualified() && !parameter->isRValueReferenceType();
}

}  // namespace

bool may_change_argument(const clang::FunctionDecl* callee, std::size_t at, const clang::Expr& argument) {
  if (!callee)
    return argument.isLValue() && !argument.isTypeDependent() && !argument.getType().isConstQualified();
  const clang::FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
  const llvm::ArrayRef<clang::ParmVarDecl*> parameters = (pattern ? pattern : callee)->parameters();
  if (parameters.empty()) return false;
  return may_fill(parameters[std::min(at, parameters.size() - 1)]->getType());
}

bool is_const_method(const clang::FunctionDecl* callee) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  return method && (method->isConst() || method->isStatic());
}

bool is_access(const clang::FunctionDecl* callee) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (!method || !is_standard(*method)) return false;
  return llvm::any_of(method->getParent()->lookup(method->getDeclName()), [&](const clang::NamedDecl* other) {
    return is_const_method(other->getAsFunction()) &&
           other->getAsFunction()->getNumParams() == method->getNumParams();
  });
}

bool asks_no_element(const clang::FunctionDecl* callee) {
  static constexpr llvm::StringRef kMethods[] = {
      "clear",     "emplace",   "emplace_back", "emplace_front", "insert", "insert_or_assign", "pop_back",
      "pop_front", "push_back", "push_front",   "reserve",       "resize", "try_emplace"};
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  return method && is_standard(*method) &&
         (method->getOverloadedOperator() == clang::OO_Subscript ||
          llvm::is_contained(kMethods, identifier_of(method)));
}

bool changes_nothing(const clang::Stmt& loop) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&loop); binary && binary->isAssignmentOp())
    return false;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&loop);
      unary && unary->isIncrementDecrementOp())
    return false;
  if (llvm::isa<clang::CallExpr, clang::CXXConstructExpr, clang::BreakStmt, clang::GotoStmt,
                clang::ReturnStmt, clang::CXXThrowExpr, clang::AsmStmt>(loop))
    return false;
  return llvm::all_of(loop.children(),
                      [](const clang::Stmt* child) { return !child || changes_nothing(*child); });
}

bool is_unevaluated(const clang::Stmt& statement) {
  return llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr,
                   clang::RequiresExpr>(statement);
}

std::optional<Call> call_of(const clang::Stmt& statement) {
  Call result;
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(&statement)) {
    result.callee = construct->getConstructor();
    llvm::append_range(result.arguments, construct->arguments());
    return result;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  if (!call) return std::nullopt;
  result.callee = call->getDirectCallee();
  llvm::append_range(result.arguments, call->arguments());
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    result.object = member->getImplicitObjectArgument();
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call) &&
             llvm::isa_and_present<clang::CXXMethodDecl>(result.callee) && !result.arguments.empty()) {
    result.object = result.arguments.front();
    result.arguments.erase(result.arguments.begin());
  }
  return result;
}

bool is_lambda(const Call& call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
  return method && method->getParent()->isLambda();
}

}  // namespace autoshard::tool
