#pragma once

#include <clang/AST/ExprCXX.h>

#include <optional>

namespace autoshard::tool {

/// One call, as all kinds of calls are alike: what it is called on, if anything, and its arguments.
struct Call {
  const clang::FunctionDecl* callee = nullptr;
  const clang::Expr* object = nullptr;
  llvm::SmallVector<const clang::Expr*, 4> arguments{};
};

/// Nothing where `statement` is no call.
std::optional<Call> call_of(const clang::Stmt& statement);

/// Whether `call` calls a lambda by its name, or where it stands.
bool is_lambda(const Call& call);

/// Whether the function that is called may change its argument number `at` (without the object of a call of a
/// method).
bool may_change_argument(const clang::FunctionDecl* callee, std::size_t at, const clang::Expr& argument);

bool is_const_method(const clang::FunctionDecl* callee);

/// Whether `callee` is a method of a container that changes no element and not their number, but may lead to
/// elements, such as `front` or `begin`: it has a const form beside it.
bool is_access(const clang::FunctionDecl* callee);

/// Whether what `callee`, a method of a container, does to the number of elements does not depend on what the
/// elements are.
bool asks_no_element(const clang::FunctionDecl* callee);

/// Whether a loop goes on forever once it goes on: nothing in it is assigned, called or left.
bool changes_nothing(const clang::Stmt& loop);

/// Operands that are not evaluated.
bool is_unevaluated(const clang::Stmt& statement);

}  // namespace autoshard::tool
