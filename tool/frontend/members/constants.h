#pragma once

#include "tool/frontend/tokens/context.h"

namespace clang {
class CXXRecordDecl;
}

namespace autoshard::tool {

/// The value of an integer literal, or of the constant that `tokens` name as seen from inside `scope`;
/// nothing for any other expression.
std::optional<std::int64_t> constant_value(llvm::ArrayRef<clang::Token> tokens,
                                           const clang::CXXRecordDecl& scope, const Context& context);

/// The value of any constant expression of an integer, as seen from inside `scope`, by compiling it there.
std::optional<std::int64_t> evaluated(llvm::ArrayRef<clang::Token> tokens, clang::CXXRecordDecl& scope,
                                      const Context& context);

/// The text of a string literal, or nothing for any other expression.
std::optional<std::string> string_value(llvm::ArrayRef<clang::Token> tokens, const Context& context);

}  // namespace autoshard::tool
