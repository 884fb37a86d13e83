#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace autoshard::tool {

/// Whether objects of a class stay as their constructors left them. Its interface decides: no public data, no
/// non-const methods, nothing mutable. False for types that are no class of the user.
bool is_immutable(clang::QualType type);

/// How a function uses a variable that outlives its calls.
struct SharedUse {
  std::string effect{};        ///< "changes the variable 'total'"; empty if there is no effect
  bool is_handed_out = false;  ///< the function returns it or its target by reference or pointer
  bool is_constant = false;    ///< its value depends on its initialiser alone
};

/// Classifies a use of `variable`. `path` leads to the use from the body of `function`, or from an
/// initialiser if `function` is null. `is_strict`: each use of a variable that is no constant is an effect.
SharedUse use_of_shared(const clang::VarDecl& variable, llvm::ArrayRef<clang::Stmt*> path,
                        const clang::FunctionDecl* function, bool is_strict);

/// Whether `function` returns the object at the end of `path`, or its target, by reference or pointer. False
/// if `function` is null.
bool is_handed_out(llvm::ArrayRef<clang::Stmt*> path, const clang::FunctionDecl* function);

/// Returns "changes X", or "reads X, which can change". X is the text `what`; it describes the object at the
/// end of `path`, or its target.
std::string use_in_words(const std::string& what, llvm::ArrayRef<clang::Stmt*> path);

/// Whether the member at the end of `path`, or its target, gets changed, although its object may be const.
/// This concerns members that are mutable, references and pointers.
bool changes_through(const clang::FieldDecl& field, llvm::ArrayRef<clang::Stmt*> path);

/// Whether `variable`, a parameter, may hold an object whose `field` belongs to the caller, so that the
/// caller sees a change.
bool may_hold(const clang::VarDecl& variable, const clang::FieldDecl& field);

/// Returns the words for a changed part: "the mutable 'reads'", "what 'counter' points to".
std::string part_in_words(const clang::FieldDecl& field);

/// Whether `cast`, at the end of `path`, is used to change an object right there. Variables of the function
/// itself do not count.
bool changes_a_constant(const clang::CXXConstCastExpr& cast, llvm::ArrayRef<clang::Stmt*> path);

}  // namespace autoshard::tool
