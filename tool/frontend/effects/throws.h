#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Whether one of `tries`, the blocks around a `throw`, catches what it throws. Of a call, `thrown` is null:
/// a handler of everything or of `std::exception` catches that.
bool is_caught(clang::QualType thrown, llvm::ArrayRef<const clang::CXXTryStmt*> tries);

/// Whether `statement` is a label `default` that nothing reaches: the other labels of `around`, the innermost
/// loop or switch, are all enumerators.
bool is_unreachable_default(const clang::Stmt& statement, const clang::Stmt* around);

/// How a call of `function`, which does not return, is told: "calls 'abort'", "has an assertion".
std::string end_in_words(const clang::FunctionDecl& function);

/// The object and the arguments whose values decide whether `call`, of a function of the standard library,
/// throws: the map and the key of `at`, the optional of `value`, the variant of `get`. Empty: it throws
/// nothing that is known.
llvm::SmallVector<const clang::Expr*, 2> decide_whether_throws(const Call& call);

/// The first way in which `function` may end otherwise than by returning: a `throw` that it does not catch, a
/// call of a function that has one or that never returns. Assertions do not count. Nothing in what was not
/// read counts.
std::optional<Escape> find_throw(const clang::FunctionDecl& function, const Context& context);

}  // namespace autoshard::tool
