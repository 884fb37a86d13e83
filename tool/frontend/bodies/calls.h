#pragma once

#include <clang/AST/ExprCXX.h>

#include <optional>

namespace autoshard::tool {

/// A call of any kind: of a function, a method, an operator or a constructor. `object` is null for calls
/// without an object, and `callee` is null if it is not known.
struct Call {
  const clang::FunctionDecl* callee = nullptr;
  const clang::Expr* object = nullptr;
  llvm::SmallVector<const clang::Expr*, 4> arguments{};
};

/// The call that `statement` is; nothing if it is no call.
std::optional<Call> call_of(const clang::Stmt& statement);

/// Whether `call` calls a lambda, by its name or in place.
bool is_lambda(const Call& call);

/// Whether `callee` may write its argument number `at`. The object of a method is not counted. A null
/// `callee` may write each lvalue that is not const.
bool may_change_argument(const clang::FunctionDecl* callee, std::size_t at, const clang::Expr& argument);

bool is_const_method(const clang::FunctionDecl* callee);

/// Whether `callee` is a method of a container that leads to elements, such as `front` or `begin`. It has a
/// const overload, so it changes neither elements nor their number.
bool is_access(const clang::FunctionDecl* callee);

/// Whether `callee` is a method of a container whose effect on the number of elements does not depend on the
/// values of elements.
bool asks_no_element(const clang::FunctionDecl* callee);

/// Whether nothing in the loop is assigned or called, and nothing leaves it. The loop never ends once it has
/// begun a second round.
bool changes_nothing(const clang::Stmt& loop);

/// Whether the operands of `statement` are not evaluated, as in `sizeof`.
bool is_unevaluated(const clang::Stmt& statement);

}  // namespace autoshard::tool
