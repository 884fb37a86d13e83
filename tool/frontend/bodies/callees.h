#pragma once

#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

/// Whether a call of `function` leaves the object that it is called on unchanged. True for a function without
/// an object.
bool leaves_its_object_alone(const clang::FunctionDecl& function);

/// Whether a call may serve the result of the function: it returns a value, writes an argument or its object,
/// or makes or destroys an object. Any other function is called for another effect.
bool is_for_its_result(const clang::FunctionDecl& function);

/// The definition of `function` whose body was read; null if none was. For an instance of a template, this
/// may be the definition of the template.
const clang::FunctionDecl* read_definition(const clang::FunctionDecl& function);

/// Whether the compiler writes the body.
bool is_made_by_compiler(const clang::FunctionDecl& function);

/// Whether a derived class may override `method`, so that `call` runs another method.
bool may_be_overridden(const clang::CXXMemberCallExpr& call, const clang::CXXMethodDecl& method);

/// Looks for an accessor of a shared object: a call without arguments of a function whose body was not read.
/// `object` must be the result of this call, or be reached from it, as by `Log::instance()` in
/// `Log::instance().add(…)`. Returns null if there is no accessor, or if its result is const.
const clang::CallExpr* unread_accessor(const clang::Expr& object);

/// The object that `part` is a member of, at any depth, or `part` itself.
const clang::Expr& whole_of(const clang::Expr& part);

/// A key of the function. It is unique, and the same in each run.
std::string key_of(const clang::FunctionDecl& function);

/// The variable or the data member that holds a function object or a pointer to a function. Null for other
/// expressions, such as the result of a function or `condition ? f : g`.
const clang::ValueDecl* holder_of(const clang::Expr& object);

}  // namespace autoshard::tool
