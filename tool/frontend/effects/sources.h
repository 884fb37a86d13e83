#pragma once

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The use of a sharded member that a value depends on; null where it depends on none.
using Source = const clang::MemberExpr*;
using SourceOf = llvm::DenseMap<const clang::ValueDecl*, Source>;

/// What a change makes a variable depend on.
struct Change {
  Source value = nullptr;
  Source size = nullptr;  ///< the number or the keys of its elements
};

/// The sharded members that the values of one method of `entity` depend on. A variable keeps the first one
/// that was noted of it.
class Sources {
 public:
  /// `object`: of a method that is called on another object, what that depends on.
  Sources(const clang::CXXRecordDecl& entity, const SourceOf& parameters, Source object,
          const Context& context)
      : entity_(entity.getCanonicalDecl()),
        object_(object),
        context_(context),
        values_(parameters),
        sizes_(parameters) {}

  Source of(const clang::Stmt* statement) const;
  /// What the number or the keys of the elements of `container` depend on.
  Source of_size(const clang::Expr& container) const;

  /// Returns whether anything of it is new.
  bool note(const clang::ValueDecl& variable, Change change);

 private:
  bool is_sharded(const clang::MemberExpr& member) const;

  const clang::CXXRecordDecl* entity_;
  Source object_;
  const Context& context_;
  SourceOf values_;
  SourceOf sizes_;
};

/// Of a structured binding, what it is a part of; null where that is not valid.
const clang::ValueDecl* whole(const clang::ValueDecl& variable);

}  // namespace autoshard::tool
