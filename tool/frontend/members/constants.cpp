#include "tool/frontend/members/constants.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/LiteralSupport.h>
#include <clang/Sema/Sema.h>

#include "tool/frontend/compiler/parse_more.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

std::optional<std::int64_t> literal_value(const clang::Token& token, const Context& context) {
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

const clang::DeclContext* as_scope(const clang::NamedDecl& decl) {
  if (const auto* alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(&decl)) return alias->getNamespace();
  if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(&decl)) {
    return llvm::dyn_cast_or_null<clang::DeclContext>(alias->getUnderlyingType()->getAsTagDecl());
  }
  return llvm::dyn_cast<clang::DeclContext>(&decl);
}

const clang::NamedDecl* look_up(const clang::DeclContext& scope, const clang::Token& name) {
  for (const clang::NamedDecl* decl : scope.getRedeclContext()->lookup(name.getIdentifierInfo())) {
    return decl->getUnderlyingDecl();
  }
  return nullptr;
}

const clang::NamedDecl* look_up_outwards(const clang::DeclContext& scope, const clang::Token& name) {
  for (const clang::DeclContext* at = &scope; at; at = at->getLookupParent()) {
    if (const clang::NamedDecl* decl = look_up(*at, name)) return decl;
  }
  return nullptr;
}

/// The declaration of `a::b::c`, as seen from inside `scope`.
const clang::NamedDecl* find_named(llvm::ArrayRef<clang::Token> tokens, const clang::CXXRecordDecl& scope,
                                   const Context& context) {
  const clang::DeclContext* outer = nullptr;
  if (!tokens.empty() && tokens.front().is(tok::coloncolon)) {
    outer = context.ast.getTranslationUnitDecl();
    tokens = tokens.drop_front();
  }
  for (; !tokens.empty() && tokens.front().is(tok::identifier); tokens = tokens.drop_front(2)) {
    const clang::NamedDecl* found =
        outer ? look_up(*outer, tokens.front()) : look_up_outwards(scope, tokens.front());
    if (!found || tokens.size() == 1) return found;
    outer = as_scope(*found);
    if (!outer || tokens.size() == 2 || !tokens[1].is(tok::coloncolon)) return nullptr;
  }
  return nullptr;
}

std::optional<std::int64_t> value_of(const clang::NamedDecl& decl) {
  if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&decl)) {
    return enumerator->getInitVal().trySExtValue();
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (!variable || !variable->getType()->isIntegralOrEnumerationType() ||
      !variable->getType().isConstQualified() || !variable->hasInit() ||
      variable->getInit()->isValueDependent()) {
    return std::nullopt;
  }
  const clang::APValue* value = variable->evaluateValue();
  if (!value || !value->isInt()) return std::nullopt;
  // An unsigned value may not fit; it is too large for any use we have.
  return value->getInt().isRepresentableByInt64() ? value->getInt().getExtValue()
                                                  : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::optional<std::int64_t> constant_value(llvm::ArrayRef<clang::Token> tokens,
                                           const clang::CXXRecordDecl& scope, const Context& context) {
  if (tokens.size() == 1 && tokens[0].is(tok::numeric_constant)) return literal_value(tokens[0], context);
  if (tokens.size() == 2 && tokens[0].is(tok::minus) && tokens[1].is(tok::numeric_constant)) {
    auto value = literal_value(tokens[1], context);
    return value ? std::optional(-*value) : std::nullopt;
  }
  const clang::NamedDecl* decl = find_named(tokens, scope, context);
  return decl ? value_of(*decl) : std::nullopt;
}

std::optional<std::int64_t> evaluated(llvm::ArrayRef<clang::Token> tokens, clang::CXXRecordDecl& scope,
                                      const Context& context) {
  if (tokens.empty()) return std::nullopt;
  std::optional<std::int64_t> value;
  const auto read = [&](const clang::CXXRecordDecl& parsed) {
    for (const clang::Decl* decl : parsed.decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) value = value_of(*variable);
    }
  };
  parse_in_class(context.sema, scope, "static constexpr auto value = (" + context.log.text(tokens) + ");",
                 read);
  return value;
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
