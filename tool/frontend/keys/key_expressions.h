#pragma once

/// Forms of expressions over sets and maps, as mixed_keys.cpp and element_loops.cpp understand them.

#include <clang/AST/ExprCXX.h>

#include <optional>

#include "tool/frontend/bodies/calls.h"

namespace autoshard::tool {

/// The expression without the parts that change neither its value nor its type: parentheses, copies,
/// temporaries.
const clang::Expr& unwrapped(const clang::Expr& expression);

/// The variable that an expression names; null if it does not. Iterators are compared as their base class.
const clang::ValueDecl* named(const clang::Expr& expression);

/// Whether two expressions name one variable, or one member of one object.
bool is_same_object(const clang::Expr& one, const clang::Expr& other);

/// The object of a call of one of these methods without arguments; null for any other expression.
const clang::Expr* container_of(const clang::Expr& expression, llvm::StringRef one, llvm::StringRef other);

/// The class of `x` in `x.begin(), x.end()`; null for any other pair of expressions.
const clang::CXXRecordDecl* range_of(const clang::Expr& first, const clang::Expr& last);

/// Whether `step` is `++variable`. `step` may be null.
bool is_step(const clang::Expr* step, const clang::VarDecl& variable);

/// Whether `condition` is `variable != container.end()`. `condition` may be null.
bool is_until_end(const clang::Expr* condition, const clang::VarDecl& variable, const clang::Expr& container);

/// A comparison by an operator of a class.
struct ComparedOperands {
  clang::BinaryOperatorKind opcode;
  const clang::Expr* left;
  const clang::Expr* right;
};
std::optional<ComparedOperands> comparison_of(const clang::Expr& expression);

bool is_optional(clang::QualType type);
bool is_iterator(clang::QualType type);
/// Whether the type is a pair of an iterator and a bool, which `insert` and `emplace` return.
bool is_insertion(clang::QualType type);

/// The call of a method of a set or map that chooses one element by its key, which most of these methods have
/// as their first argument.
std::optional<Call> choosing_call(const clang::Expr& expression);

}  // namespace autoshard::tool
