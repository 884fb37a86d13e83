#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/effects/effects.h"
#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Returns the operation of `function`, a fold, on its two parameters; nothing if its form is unknown.
std::optional<Operation> read_fold(const clang::FunctionDecl& function, const Context& context);

/// The facts about an expression that folds two values of a property.
struct FoldExpression {
  std::optional<Operation> operation{};
  std::string infix{};    ///< as Sharding::infix
  Constants constants{};  ///< constants in it, and in the function that it calls
  Effects effects{};
  std::optional<Escape> throws{};  ///< the result of find_throw()
  /// The result of find_mixed_keys().
  std::optional<Escape> mixed_keys =
      Escape{"is a function object that the prover does not follow key by key", {}};
};

/// Reads the expression `fold`, which folds `field`, a member of `entity`. Returns default facts if the
/// expression does not compile.
FoldExpression read_fold_expression(const std::string& fold, const clang::FieldDecl& field,
                                    clang::CXXRecordDecl& entity, const Context& context);

/// The facts about the expression of a neutral value.
struct NeutralExpression {
  Effects effects{};      ///< beyond computing from constants
  bool is_empty = false;  ///< as Sharding::neutral_is_empty
};

/// Reads `neutral`, the neutral value of `field`, a member of `entity`. Returns default facts if the
/// expression does not compile.
NeutralExpression read_neutral(const std::string& neutral, const clang::FieldDecl& field,
                               clang::CXXRecordDecl& entity, const Context& context);

}  // namespace autoshard::tool
