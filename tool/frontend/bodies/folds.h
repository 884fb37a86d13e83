#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/effects/effects.h"
#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What `function`, a fold, makes of its two parameters; nothing where that is not known.
std::optional<Operation> read_fold(const clang::FunctionDecl& function, const Context& context);

/// What an expression does that is called with two values of a property.
struct FoldExpression {
  std::optional<Operation> operation{};
  std::string infix{};    ///< as Sharding::infix
  Constants constants{};  ///< in it, and in what it calls
  Effects effects{};
  std::optional<Escape> throws{};  ///< as find_throw() has it
  /// As find_mixed_keys() has it.
  std::optional<Escape> mixed_keys =
      Escape{"is a function object that the prover does not follow key by key", {}};
};

/// Reads `fold`, which is to fold `field`, a member of `entity`.
FoldExpression read_fold_expression(const std::string& fold, const clang::FieldDecl& field,
                                    clang::CXXRecordDecl& entity, const Context& context);

/// What an expression is that gives a property its neutral value.
struct NeutralExpression {
  Effects effects{};      ///< beyond computing from constants
  bool is_empty = false;  ///< as Sharding::neutral_is_empty
};

/// Reads `neutral`, the neutral value of `field`. Returns nothing of an expression that does not compile.
NeutralExpression read_neutral(const std::string& neutral, const clang::FieldDecl& field,
                               clang::CXXRecordDecl& entity, const Context& context);

}  // namespace autoshard::tool
