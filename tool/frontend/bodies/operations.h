#pragma once

/// Operations that may give the same value in any order. They occur in updates of members and in bodies of
/// folds.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <optional>

#include "tool/model/method.h"

namespace autoshard::tool {

/// The expression without parentheses, casts and temporaries around it.
const clang::Expr& bare(const clang::Expr& written);

/// Whether two types differ in qualifiers at most.
bool same_type(clang::QualType one, clang::QualType other);

/// Whether two expressions have the same structure.
bool same_expression(const clang::Expr& one, const clang::Expr& other, const clang::ASTContext& ast);

/// The operation of an operator: `kAdd` for `+`, `-`, `+=` and `-=`, and so on; nothing for other operators.
std::optional<Operation> operation_of(clang::BinaryOperatorKind code);

/// Whether the type is a text. A sum of texts depends on their order.
bool is_text(clang::QualType type);

/// Whether the type is std::bitset. Its operators mean the same as those of integers.
bool is_bitset(clang::QualType type);

/// A call of `set`, `reset` or `flip` of a bitset, as the operation `|`, `&` or `^`.
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

/// The extreme that a choice takes: the greater or the lesser of the two compared values; nothing if it takes
/// another value. `other` is the value if the condition does not hold.
std::optional<Operation> extreme_of(const Comparison& compared, const clang::Expr& chosen,
                                    const clang::Expr& other, const clang::ASTContext& ast);

/// A call `std::max(x, y)` or `std::min(x, y)` without a comparison function.
struct StandardExtreme {
  Operation operation;
  const clang::Expr* one;
  const clang::Expr* other;
};
std::optional<StandardExtreme> read_standard_extreme(const clang::CallExpr& call);

}  // namespace autoshard::tool
