#include "tool/frontend/members/constants.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/LiteralSupport.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include "tool/frontend/members/parse_in_class.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

std::optional<std::int64_t> value_of(const clang::Token& token, const Context& context) {
  clang::Preprocessor& preprocessor = context.log.preprocessor();
  std::string spelling = preprocessor.getSpelling(token);
  clang::NumericLiteralParser literal(spelling, token.getLocation(), preprocessor.getSourceManager(),
                                      preprocessor.getLangOpts(), preprocessor.getTargetInfo(),
                                      preprocessor.getDiagnostics());
  llvm::APInt value(64, 0);
  if (literal.hadError || !literal.isIntegerLiteral() || literal.hasUDSuffix()) return std::nullopt;
  if (literal.GetIntegerValue(value) || value.isNegative()) return std::numeric_limits<std::int64_t>::max();
  return value.getSExtValue();
}

/// The value of a constant of an integer or enumeration type; nothing for other constants. A number outside
/// the range counts as the nearest number in the range.
std::optional<std::int64_t> value_of(const clang::VarDecl& constant) {
  if (!constant.getType()->isIntegralOrEnumerationType()) return std::nullopt;
  const clang::APValue* value = constant.evaluateValue();
  if (!value || !value->isInt()) return std::nullopt;
  const llvm::APSInt& number = value->getInt();
  using Limits = std::numeric_limits<std::int64_t>;
  if (number.isRepresentableByInt64()) return number.getExtValue();
  return number.isNegative() ? Limits::min() : Limits::max();
}

}  // namespace

std::optional<std::int64_t> literal_value(llvm::ArrayRef<clang::Token> tokens, const Context& context) {
  const bool is_negative = tokens.size() == 2 && tokens[0].is(tok::minus);
  if (is_negative) tokens = tokens.drop_front();
  if (tokens.size() != 1 || !tokens[0].is(tok::numeric_constant)) return std::nullopt;
  const auto value = value_of(tokens[0], context);
  return value && is_negative ? std::optional(-*value) : value;
}

Constant evaluated(llvm::ArrayRef<clang::Token> tokens, clang::CXXRecordDecl& scope, const Context& context) {
  if (const auto literal = literal_value(tokens, context)) return {.value = literal};
  if (tokens.empty() || scope.isDependentContext()) return {};
  const std::string expression = fmt::format("({})", context.log.text(tokens));
  Constant constant;
  const auto read = [&](const clang::CXXRecordDecl& parsed) {
    for (const clang::Decl* decl : parsed.decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) constant.value = value_of(*variable);
    }
  };
  const std::string as_constant = fmt::format("static constexpr auto autoshard_value = {};", expression);
  if (!parse_in_class(context.sema, scope, as_constant, read).empty()) {
    const std::string as_type = fmt::format("using AutoshardType = decltype({});", expression);
    constant.problem = parse_in_class(context.sema, scope, as_type, [](const clang::CXXRecordDecl&) {});
  }
  return constant;
}

std::optional<std::string> string_value(llvm::ArrayRef<clang::Token> tokens, const Context& context) {
  if (tokens.empty() ||
      !llvm::all_of(tokens, [](const clang::Token& token) { return token.is(tok::string_literal); })) {
    return std::nullopt;
  }
  clang::StringLiteralParser literal(tokens, context.log.preprocessor());
  if (literal.hadError) return std::nullopt;
  return literal.GetString().str();
}

}  // namespace autoshard::tool
