#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/bodies/effects.h"
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
};

/// Reads `fold`, which is to fold `field`, a member of `entity`.
FoldExpression read_fold_expression(const std::string& fold, const clang::FieldDecl& field,
                                    clang::CXXRecordDecl& entity, const Context& context);

/// What the expression does that is the neutral value of `field`, beyond computing from constants. Nothing
/// where it does not compile.
Effects read_neutral_effects(const std::string& neutral, const clang::FieldDecl& field,
                             clang::CXXRecordDecl& entity, const Context& context);

}  // namespace autoshard::tool
