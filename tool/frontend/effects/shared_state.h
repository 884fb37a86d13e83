#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

/// Whether the objects of a class stay as their constructors left them, as far as its interface tells: it has
/// no public data, no method that is not const, and nothing mutable.
bool is_immutable(clang::QualType type);

/// What a function does with a variable that outlives its calls.
struct SharedUse {
  std::string effect{};        ///< "changes the variable 'total'"; empty where there is none
  bool is_handed_out = false;  ///< the function returns it, or what it leads to, by reference or pointer
  bool is_constant = false;    ///< it depends on its initialiser alone
};

/// `path` leads to the use, from the body of `function`, or from an initialiser, where that is null.
/// `is_strict`: any use of what is no constant is an effect.
SharedUse use_of_shared(const clang::VarDecl& variable, llvm::ArrayRef<clang::Stmt*> path,
                        const clang::FunctionDecl* function, bool is_strict);

/// Whether `function` returns what is at the end of `path`, or what that leads to, by reference or pointer.
bool is_handed_out(llvm::ArrayRef<clang::Stmt*> path, const clang::FunctionDecl* function);

/// "changes X", or "reads X, which can change", for what the expression at the end of `path` is or leads to.
std::string use_in_words(const std::string& what, llvm::ArrayRef<clang::Stmt*> path);

/// Whether a member at the end of `path` gets changed, or what it leads to, that may be a part of a const
/// object: one that is mutable, a reference or a pointer.
bool changes_through(const clang::FieldDecl& field, llvm::ArrayRef<clang::Stmt*> path);

/// Whether a change of `field` in what `variable` holds, a parameter, is one for its caller, too.
bool may_hold(const clang::VarDecl& variable, const clang::FieldDecl& field);

/// "the mutable 'reads'", "what 'counter' points to"
std::string part_in_words(const clang::FieldDecl& field);

/// Whether the object that `cast`, at the end of `path`, makes changeable gets changed right there, and is no
/// variable of the function's own.
bool changes_a_constant(const clang::CXXConstCastExpr& cast, llvm::ArrayRef<clang::Stmt*> path);

}  // namespace autoshard::tool
