#pragma once

#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

/// Whether nothing of the object that a method is called on can change by it.
bool leaves_its_object_alone(const clang::FunctionDecl& function);

/// Whether a function may be called for what it returns or fills. Any other has some other effect.
bool is_for_its_result(const clang::FunctionDecl& function);

/// The definition that was read, of a template's instance perhaps that of the template; null if none was.
const clang::FunctionDecl* read_definition(const clang::FunctionDecl& function);

/// Whether the compiler writes the body.
bool is_made_by_compiler(const clang::FunctionDecl& function);

/// Whether another method than `method` may run where `call` calls it, of a class derived later.
bool may_be_overridden(const clang::CXXMemberCallExpr& call, const clang::CXXMethodDecl& method);

/// The call of a function without parameters and without a body at hand that `object` is the result of, or is
/// led to by: `Log::instance()` of `Log::instance().add(…)`. Null where there is none, or the result is
/// const.
const clang::CallExpr* unread_accessor(const clang::Expr& object);

/// The object that `part` is a member of, at any depth, or `part` itself.
const clang::Expr& whole_of(const clang::Expr& part);

/// Tells the function from every other one, in every run.
std::string key_of(const clang::FunctionDecl& function);

/// The variable or the data member that a function object or a pointer to a function is in; null where it is
/// in neither, as one that another function returns, or one of two functions that are named there.
const clang::ValueDecl* holder_of(const clang::Expr& object);

}  // namespace autoshard::tool
