#include "tool/frontend/keys/key_expressions.h"

#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/keys/closed_types.h"

namespace autoshard::tool {

const clang::Expr& unwrapped(const clang::Expr& expression) {
  const clang::Expr* at = &expression;
  for (;;) {
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
        cast && (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueToRValue)) {
      at = cast->getSubExpr();
    } else if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(at)) {
      at = parens->getSubExpr();
    } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(at)) {
      at = temporary->getSubExpr();
    } else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(at)) {
      at = full->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(at)) {
      at = bound->getSubExpr();
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at);
               made && made->getNumArgs() >= 1 && made->getConstructor()->isCopyOrMoveConstructor() &&
               plain_type(made->getType()) == plain_type(made->getArg(0)->getType())) {
      at = made->getArg(0);
    } else {
      return *at;
    }
  }
}

const clang::ValueDecl* named(const clang::Expr& expression) {
  const clang::Expr* at = &unwrapped(expression);
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
      cast && (cast->getCastKind() == clang::CK_DerivedToBase ||
               cast->getCastKind() == clang::CK_UncheckedDerivedToBase))
    at = &unwrapped(*cast->getSubExpr());
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at);
  return name ? name->getDecl() : nullptr;
}

bool is_same_object(const clang::Expr& one, const clang::Expr& other) {
  const clang::Expr& x = unwrapped(one);
  const clang::Expr& y = unwrapped(other);
  if (const clang::ValueDecl* const name = named(x)) return name == named(y);
  if (llvm::isa<clang::CXXThisExpr>(&x)) return llvm::isa<clang::CXXThisExpr>(&y);
  const auto* part = llvm::dyn_cast<clang::MemberExpr>(&x);
  const auto* same = llvm::dyn_cast<clang::MemberExpr>(&y);
  return part && same && part->getMemberDecl() == same->getMemberDecl() &&
         is_same_object(*part->getBase(), *same->getBase());
}

const clang::Expr* container_of(const clang::Expr& expression, llvm::StringRef one, llvm::StringRef other) {
  const clang::Expr* at = &unwrapped(expression);
  // `const_iterator at = a.begin();`, and an iterator that is compared as its base class.
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at)) at = &unwrapped(*cast->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at); made && made->getNumArgs() == 1)
    at = &unwrapped(*made->getArg(0));
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(at);
  if (!call || call->getNumArgs() != 0) return nullptr;
  const llvm::StringRef name = identifier_of(call->getMethodDecl());
  return name == one || name == other ? &unwrapped(*call->getImplicitObjectArgument()) : nullptr;
}

bool is_step(const clang::Expr* step, const clang::VarDecl& variable) {
  const auto* call = step ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&unwrapped(*step)) : nullptr;
  return call && call->getOperator() == clang::OO_PlusPlus && named(*call->getArg(0)) == &variable;
}

bool is_until_end(const clang::Expr* condition, const clang::VarDecl& variable,
                  const clang::Expr& container) {
  const std::optional<ComparedOperands> compared =
      condition ? comparison_of(unwrapped(*condition)) : std::nullopt;
  if (!compared || compared->opcode != clang::BO_NE || named(*compared->left) != &variable) return false;
  const clang::Expr* const end = container_of(*compared->right, "end", "cend");
  return end && is_same_object(*end, container);
}

std::optional<ComparedOperands> comparison_of(const clang::Expr& expression) {
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&expression))
    return ComparedOperands{rewritten->getOperator(), rewritten->getLHS(), rewritten->getRHS()};
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
  if (!call || !call->isComparisonOp() || call->getNumArgs() != 2) return std::nullopt;
  return ComparedOperands{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                          call->getArg(1)};
}

bool is_optional(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  return record && identifier_of(record) == "optional";
}
bool is_iterator(clang::QualType type) {
  const clang::CXXRecordDecl* const record = plain_type(type)->getAsCXXRecordDecl();
  return record && is_library_declaration(*record) && identifier_of(record).contains("terator");
}
bool is_insertion(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  return record && identifier_of(record) == "pair" && is_iterator(argument(*record, 0)) &&
         argument(*record, 1)->isBooleanType();
}

std::optional<Call> choosing_call(const clang::Expr& expression) {
  const clang::Expr* at = &unwrapped(expression);
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at)) at = &unwrapped(*cast->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at);
      made && made->getNumArgs() == 1 && (is_iterator(made->getType()) || is_insertion(made->getType())))
    at = &unwrapped(*made->getArg(0));
  std::optional<Call> call = call_of(*at);
  if (!call || !call->callee || !call->object || !keyed_class(call->object->getType())) return std::nullopt;
  const llvm::StringRef name = identifier_of(call->callee);
  const std::size_t count = call->arguments.size();
  const bool chooses = call->callee->getOverloadedOperator() == clang::OO_Subscript ||
                       (name == "find" && count == 1) || name == "try_emplace" ||
                       name == "insert_or_assign" || (name == "emplace" && count >= 1 && count <= 2) ||
                       (name == "insert" && count == 1);
  // The first argument of the forms with a hint is an iterator.
  if (!chooses || call->arguments.empty() || is_iterator(call->arguments[0]->getType())) return std::nullopt;
  return call;
}

const clang::CXXRecordDecl* range_of(const clang::Expr& first, const clang::Expr& last) {
  const clang::Expr* const begin = container_of(first, "begin", "cbegin");
  const clang::Expr* const end = container_of(last, "end", "cend");
  if (!begin || !end) return nullptr;
  if (!is_same_object(*begin, *end)) return nullptr;
  return keyed_class(begin->getType());
}

}  // namespace autoshard::tool
