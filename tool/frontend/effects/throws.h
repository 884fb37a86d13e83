#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Whether one of `tries`, the blocks around a `throw`, catches an exception of type `thrown`. A null
/// `thrown` means an unknown exception of a call: only a handler for `...` or `std::exception` catches it.
bool is_caught(clang::QualType thrown, llvm::ArrayRef<const clang::CXXTryStmt*> tries);

/// Whether `statement` is a label `default` that is never reached. The other labels of `around`, the
/// innermost loop or switch, must be all enumerators. False if `around` is null.
bool is_unreachable_default(const clang::Stmt& statement, const clang::Stmt* around);

/// Returns the words for a call of `function`, which does not return: "calls 'abort'", "has an assertion".
std::string end_in_words(const clang::FunctionDecl& function);

/// Returns the object and the arguments whose values decide whether `call`, of a function of the standard
/// library, throws. Examples are the map and the key of `at`, the optional of `value`, and the variant of
/// `get`. Returns none if the call is not known to throw.
llvm::SmallVector<const clang::Expr*, 2> decide_whether_throws(const Call& call);

/// Returns the first way in which `function` may end without returning: a `throw` that it does not catch, or
/// a call that never returns or may throw. Assertions do not count, and neither do functions whose bodies
/// were not read. Returns nothing if there is no such way.
std::optional<Escape> find_throw(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
