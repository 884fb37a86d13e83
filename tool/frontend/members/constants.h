#pragma once

#include "tool/frontend/tokens/context.h"

namespace clang {
class CXXRecordDecl;
}

namespace autoshard::tool {

/// The value of an integer literal, with or without a minus; nothing for any other expression.
std::optional<std::int64_t> literal_value(llvm::ArrayRef<clang::Token> tokens, const Context& context);

/// The result of compiling an expression.
struct Constant {
  std::optional<std::int64_t> value{};  ///< nothing where it is no constant of an integer or enumeration
  std::string problem{};                ///< Clang's error where it does not compile
};

/// The value of an expression as seen from inside `scope`, by compiling it there.
Constant evaluated(llvm::ArrayRef<clang::Token> tokens, clang::CXXRecordDecl& scope, const Context& context);

/// The text of a string literal, or nothing for any other expression.
std::optional<std::string> string_value(llvm::ArrayRef<clang::Token> tokens, const Context& context);

}  // namespace autoshard::tool
