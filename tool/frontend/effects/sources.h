#pragma once

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// A use of a sharded member that a value depends on; null if the value depends on none.
using Source = const clang::MemberExpr*;
using SourceOf = llvm::DenseMap<const clang::ValueDecl*, Source>;

/// The dependences that a change gives to a variable.
struct ChangeSources {
  Source value = nullptr;
  Source size = nullptr;  ///< for the number or the keys of its elements
};

/// The dependences of values in one method of `entity` on sharded members. A variable keeps the first
/// dependence that was noted.
class Sources {
 public:
  /// `parameters`: the parameters that depend on a sharded member. `object`: the dependence of the object
  /// that the method is called on; null if there is none.
  Sources(const clang::CXXRecordDecl& entity, const SourceOf& parameters, Source object,
          const Context& context)
      : entity_(entity.getCanonicalDecl()),
        object_(object),
        context_(context),
        values_(parameters),
        sizes_(parameters) {}

  Source of(const clang::Stmt* statement) const;
  /// The dependence of the number or the keys of the elements of `container`; null if there is none.
  Source of_size(const clang::Expr& container) const;

  /// Notes a change of `variable`. Returns whether it was new.
  bool note(const clang::ValueDecl& variable, ChangeSources change);

 private:
  bool is_sharded(const clang::MemberExpr& member) const;

  const clang::CXXRecordDecl* entity_;
  Source object_;
  const Context& context_;
  SourceOf values_;
  SourceOf sizes_;
};

/// The whole variable that a structured binding is a part of; null if that is not valid. Any other variable
/// is returned unchanged.
const clang::ValueDecl* whole(const clang::ValueDecl& variable);

}  // namespace autoshard::tool
