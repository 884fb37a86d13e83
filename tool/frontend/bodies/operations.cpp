#include "tool/frontend/bodies/operations.h"

#include <llvm/ADT/FoldingSet.h>

#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

std::optional<Comparison> comparison_of(clang::BinaryOperatorKind code, const clang::Expr& left,
                                        const clang::Expr& right) {
  if (code == clang::BO_LT || code == clang::BO_LE) return Comparison{&bare(right), &bare(left)};
  if (code == clang::BO_GT || code == clang::BO_GE) return Comparison{&bare(left), &bare(right)};
  return std::nullopt;
}

bool is_standard_class(clang::QualType type, llvm::StringRef name) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getName() == name;
}

}  // namespace

const clang::Expr& bare(const clang::Expr& written) {
  const clang::Expr* inner = &written;
  for (const clang::Expr* last = nullptr; last != inner;) {
    last = inner;
    inner = inner->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner);
    if (cast && cast->getCastKind() == clang::CK_ToVoid) inner = cast->getSubExpr();
  }
  return *inner;
}

bool same_type(clang::QualType one, clang::QualType other) {
  return one.getCanonicalType().getUnqualifiedType() == other.getCanonicalType().getUnqualifiedType();
}

bool same_expression(const clang::Expr& one, const clang::Expr& other, const clang::ASTContext& ast) {
  llvm::FoldingSetNodeID first;
  llvm::FoldingSetNodeID second;
  bare(one).Profile(first, ast, /*Canonical=*/true);
  bare(other).Profile(second, ast, /*Canonical=*/true);
  return first == second;
}

std::optional<Operation> operation_of(clang::BinaryOperatorKind code) {
  switch (code) {
    case clang::BO_Add:
    case clang::BO_Sub:
    case clang::BO_AddAssign:
    case clang::BO_SubAssign:
      return Operation::kAdd;
    case clang::BO_Mul:
    case clang::BO_MulAssign:
      return Operation::kMultiply;
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return Operation::kBitOr;
    case clang::BO_And:
    case clang::BO_AndAssign:
      return Operation::kBitAnd;
    case clang::BO_Xor:
    case clang::BO_XorAssign:
      return Operation::kBitXor;
    default:
      return std::nullopt;
  }
}

bool is_text(clang::QualType type) { return is_standard_class(type, "basic_string"); }

bool is_bitset(clang::QualType type) { return is_standard_class(type, "bitset"); }

std::optional<BitChange> read_bit_change(const clang::CXXMemberCallExpr& call) {
  const clang::CXXMethodDecl* method = call.getMethodDecl();
  if (!method || !method->getDeclName().isIdentifier() ||
      !is_bitset(call.getImplicitObjectArgument()->getType()))
    return std::nullopt;
  const clang::Expr* bit = call.getNumArgs() > 0 ? call.getArg(0) : nullptr;
  const llvm::StringRef name = method->getName();
  if (name == "reset") return BitChange{Operation::kBitAnd, bit};
  if (name == "flip") return BitChange{Operation::kBitXor, bit};
  if (name != "set") return std::nullopt;
  if (call.getNumArgs() < 2 || llvm::isa<clang::CXXDefaultArgExpr>(call.getArg(1)))
    return BitChange{Operation::kBitOr, bit};
  const auto* value = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(&bare(*call.getArg(1)));
  if (!value) return std::nullopt;
  return BitChange{value->getValue() ? Operation::kBitOr : Operation::kBitAnd, bit};
}

std::optional<Comparison> read_comparison(const clang::Expr& condition) {
  const clang::Expr& inner = bare(condition);
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&inner))
    return comparison_of(rewritten->getOperator(), *rewritten->getLHS(), *rewritten->getRHS());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&inner))
    return comparison_of(binary->getOpcode(), *binary->getLHS(), *binary->getRHS());
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&inner);
  if (!call || call->getNumArgs() != 2) return std::nullopt;
  return comparison_of(clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), *call->getArg(0),
                       *call->getArg(1));
}

std::optional<Operation> extreme_of(const Comparison& compared, const clang::Expr& chosen,
                                    const clang::Expr& other, const clang::ASTContext& ast) {
  const auto are = [&](const clang::Expr& one, const clang::Expr& another) {
    return same_expression(chosen, one, ast) && same_expression(other, another, ast);
  };
  if (are(*compared.greater, *compared.lesser)) return Operation::kMaximum;
  if (are(*compared.lesser, *compared.greater)) return Operation::kMinimum;
  return std::nullopt;
}

std::optional<StandardExtreme> read_standard_extreme(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !is_standard(*callee) || !callee->getDeclName().isIdentifier() || call.getNumArgs() != 2)
    return std::nullopt;
  const bool is_maximum = callee->getName() == "max";
  if (!is_maximum && callee->getName() != "min") return std::nullopt;
  return StandardExtreme{is_maximum ? Operation::kMaximum : Operation::kMinimum, call.getArg(0),
                         call.getArg(1)};
}

}  // namespace autoshard::tool
