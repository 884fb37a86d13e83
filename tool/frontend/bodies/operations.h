#pragma once

/// Operations that may give the same value in any order, as expressions spell them: in updates of members and
/// in the bodies of folds.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <optional>

#include "tool/model/method.h"

namespace autoshard::tool {

/// The expression that does the work, without what the language or the user wraps around it.
const clang::Expr& bare(const clang::Expr& written);

/// Whether two types differ in qualifiers at most.
bool same_type(clang::QualType one, clang::QualType other);

/// Whether two expressions are the same text, by and large.
bool same_expression(const clang::Expr& one, const clang::Expr& other, const clang::ASTContext& ast);

/// `kAdd` of `+`, `-`, `+=` and `-=`, and so on; nothing of other operators.
std::optional<Operation> operation_of(clang::BinaryOperatorKind code);

/// Whether sums of this type depend on the order, as those of strings do.
bool is_text(clang::QualType type);

/// Whether it is a std::bitset, for which operators mean what they do for integers.
bool is_bitset(clang::QualType type);

/// A call of `set`, `reset` or `flip` of a bitset, as the operation that it is: `|`, `&` or `^`.
struct BitChange {
  Operation operation;
  const clang::Expr* bit;  ///< null: every bit
};
std::optional<BitChange> read_bit_change(const clang::CXXMemberCallExpr& call);

/// `left < right`, `left >= right` and so on, of any types.
struct Comparison {
  const clang::Expr* greater;
  const clang::Expr* lesser;
};
std::optional<Comparison> read_comparison(const clang::Expr& condition);

/// Whether a branch of a comparison takes the greater of the two values, or the lesser; nothing where it
/// takes other values. `other` is the value where the condition does not hold.
std::optional<Operation> extreme_of(const Comparison& compared, const clang::Expr& chosen,
                                    const clang::Expr& other, const clang::ASTContext& ast);

/// `std::max(x, y)` or `std::min(x, y)`, without a comparison of the user's.
struct StandardExtreme {
  Operation operation;
  const clang::Expr* one;
  const clang::Expr* other;
};
std::optional<StandardExtreme> read_standard_extreme(const clang::CallExpr& call);

}  // namespace autoshard::tool
