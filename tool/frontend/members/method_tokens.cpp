#include "tool/frontend/members/method_tokens.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

bool ends_signature(const clang::Token& token) {
  return token.isOneOf(tok::l_brace, tok::semi, tok::equal, tok::kw_try, tok::colon);
}

/// Words of a declaration that belong neither to the type nor to the companion's wrapper.
bool is_dropped(const clang::Token& token) {
  if (token.isOneOf(tok::kw_virtual, tok::kw_static, tok::kw_inline, tok::kw_constexpr, tok::kw_explicit))
    return true;
  const clang::IdentifierInfo* word = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
  return word && (word->isStr("override") || word->isStr("final"));
}

llvm::SmallVector<clang::Token, 8> without_dropped(Tokens tokens) {
  llvm::SmallVector<clang::Token, 8> kept;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].isOneOf(tok::kw___attribute, tok::kw___declspec)) {
      at = after_group(tokens, at + 1) - 1;
    } else if (tokens[at].is(tok::l_square) && at + 1 < tokens.size() && tokens[at + 1].is(tok::l_square)) {
      at = after_group(tokens, at) - 1;
    } else if (!is_dropped(tokens[at])) {
      kept.push_back(tokens[at]);
    }
  }
  return kept;
}

}  // namespace

Signature::Signature(const clang::CXXMethodDecl& method, const clang::FunctionTypeLoc& type,
                     const Context& context)
    : method_(method),
      log_(context.log),
      trailing_(method.getType()->castAs<clang::FunctionProtoType>()->hasTrailingReturn()) {
  const auto begin = log_.find(method.getBeginLoc());
  const auto name = log_.find(method.getLocation());
  const auto close = log_.find(type.getRParenLoc());
  if (!begin || !name || !close) return;
  const Tokens all = log_.tokens();
  before_name_ = all.slice(*begin, *name - *begin);
  if (const auto scope = log_.find(method.getQualifierLoc().getBeginLoc())) {
    before_name_ = all.slice(*begin, *scope - *begin);
    scope_ = all.slice(*scope, *name - *scope)
                 .drop_while([](const clang::Token& token) { return token.is(tok::coloncolon); })
                 .drop_back();  // without the last `::`
  }
  std::size_t end = *close + 1;
  while (end < all.size() && !ends_signature(all[end])) end = after_group(all, end);
  after_parameters_ = all.slice(*close + 1, end - *close - 1);
}

std::string Signature::return_type() const {
  return text_without_dropped(trailing_ ? trailing_return() : before_name_);
}

bool Signature::has_builtin_return_type() const {
  return llvm::none_of(without_dropped(trailing_ ? trailing_return() : before_name_),
                       [](const clang::Token& token) { return token.is(tok::identifier); });
}

bool Signature::return_type_names_parameters() const {
  const auto words = without_dropped(trailing_ ? trailing_return() : before_name_);
  return llvm::any_of(words, [&](const clang::Token& token) {
    const clang::IdentifierInfo* word = token.getIdentifierInfo();
    return token.is(tok::kw_this) ||
           (word && llvm::any_of(method_.parameters(), [&](const clang::ParmVarDecl* parameter) {
              return parameter->getIdentifier() == word;
            }));
  });
}

std::optional<clang::SourceLocation> Signature::constexpr_specifier() const {
  const auto* found =
      llvm::find_if(before_name_, [](const clang::Token& token) { return token.is(tok::kw_constexpr); });
  if (found == before_name_.end()) return std::nullopt;
  return found->getLocation();
}

std::string Signature::qualifiers() const {
  const Tokens arrow = trailing_ ? trailing_return() : Tokens();
  if (arrow.empty()) return text_without_dropped(after_parameters_);
  const std::string before = text_without_dropped({after_parameters_.begin(), arrow.begin() - 1});
  const std::string after = text_without_dropped({arrow.end(), after_parameters_.end()});
  return before.empty() || after.empty() ? before + after : before + " " + after;
}

std::string Signature::text_without_dropped(Tokens tokens) const {
  return log_.text(without_dropped(tokens));
}

Tokens Signature::trailing_return() const {
  std::size_t at = 0;
  while (at < after_parameters_.size() && !after_parameters_[at].is(tok::arrow))
    at = after_group(after_parameters_, at);
  if (at == after_parameters_.size()) return {};
  std::size_t end = at + 1;
  while (end < after_parameters_.size() && !is_dropped(after_parameters_[end]) &&
         !after_parameters_[end].is(tok::kw_requires)) {
    end = after_group(after_parameters_, end);
  }
  return after_parameters_.slice(at + 1, end - at - 1);
}

}  // namespace autoshard::tool
