#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/TypeLoc.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// Splits the tokens of one method's declaration. The parser's own ranges leave out qualifiers of types.
class Signature {
 public:
  Signature(const clang::CXXMethodDecl& method, const clang::FunctionTypeLoc& type, const Context& context);

  std::string return_type() const;
  bool has_trailing_return_type() const { return trailing_; }
  /// Whether the return type is spelled with keywords alone, which mean the same everywhere.
  bool has_builtin_return_type() const;
  /// Whether the return type names a parameter or `this`.
  bool return_type_names_parameters() const;
  /// `moderator::Question`, where the method is defined outside its class.
  std::string scope() const { return log_.text(scope_); }
  /// The word `constexpr`, where it is there.
  std::optional<clang::SourceLocation> constexpr_specifier() const;
  /// What stands between the parameters and the body, less override and final.
  std::string qualifiers() const;

 private:
  std::string text_without_dropped(Tokens tokens) const;
  Tokens trailing_return() const;

  const clang::CXXMethodDecl& method_;
  const TokenLog& log_;
  bool trailing_;
  Tokens before_name_;
  Tokens scope_;
  Tokens after_parameters_;
};

}  // namespace autoshard::tool
