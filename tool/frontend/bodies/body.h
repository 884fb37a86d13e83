#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// How the body of a method uses the object that it is called on.
struct BodyFacts {
  std::vector<MemberUse> uses;
  std::vector<Escape> escapes;
  std::vector<const clang::CXXMethodDecl*> calls;  ///< calls of shard methods on the same object
  bool returns_this = false;                       ///< it has a `return this;` or `return *this;`
  bool returns_something_else = false;
};

/// Reads the body of `function`, a method of `entity` or another function that may change its members.
/// Returns no facts if the translation unit does not define the body.
BodyFacts read_body(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                    const Context& context);

/// Reads the initialiser of a variable or of a member, as read_body() reads a body.
BodyFacts read_initialiser(clang::Expr& initialiser, const clang::CXXRecordDecl& entity,
                           const Context& context);

/// Whether the expression at the end of `path` is written, or bound to a reference that allows writing.
/// `path` leads from the body to the expression.
bool is_written(llvm::ArrayRef<clang::Stmt*> path);

/// Whether `decl` has the attribute `name` of AutoShard.
bool has_attribute(const clang::Decl& decl, llvm::StringRef name, const Context& context);

/// Whether `decl` is marked as a shard method, of either kind.
bool is_shard_method(const clang::Decl& decl, const Context& context);

/// Whether the class is an entity, or mapped, or embedded. These classes move into the inline namespace.
bool is_annotated(const clang::CXXRecordDecl& record, const Context& context);

}  // namespace autoshard::tool
