#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What the body of a method does to the object that it is called on.
struct BodyFacts {
  std::vector<MemberUse> uses;
  std::vector<Escape> escapes;
  std::vector<const clang::CXXMethodDecl*> calls;  ///< of shard methods on the same object
  bool returns_this = false;                       ///< some `return this;` or `return *this;`
  bool returns_something_else = false;
};

/// Reads the body wherever it is defined in the translation unit; nothing is known of one that is not.
/// `function` is a method of `entity`, or another that may change its members.
BodyFacts read_body(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                    const Context& context);

/// The same of what a variable or a member is initialised with.
BodyFacts read_initialiser(clang::Expr& initialiser, const clang::CXXRecordDecl& entity,
                           const Context& context);

/// Follows the expression at the end of `path`, which leads to it from the body, to where it is read, written
/// or bound.
bool is_written(llvm::ArrayRef<clang::Stmt*> path);

/// Whether `decl` carries the attribute `name` of ours.
bool has_attribute(const clang::Decl& decl, llvm::StringRef name, const Context& context);

/// Whether `decl` is marked as a shard method, of either kind.
bool is_shard_method(const clang::Decl& decl, const Context& context);

/// Whether the class is an entity, or mapped, or embedded, and so moves into the inline namespace.
bool is_annotated(const clang::CXXRecordDecl& record, const Context& context);

}  // namespace autoshard::tool
