#include "tool/laws/known_write.h"

#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

/// Reads the statements of a body, which begin behind its first brace.
class AssignmentReader {
 public:
  AssignmentReader(const Entity& entity, const std::string& text)
      : entity_(entity),
        text_(text),
        lexer_(clang::SourceLocation(), language(), text_.data(), text_.data(), text_.data() + text_.size()) {
    advance();
  }

  /// How many members are assigned to, or nothing where anything else is done.
  std::optional<std::size_t> read() {
    std::size_t count = 0;
    for (; token_.isNot(tok::r_brace); ++count) {
      if (!read_assignment()) return std::nullopt;
    }
    return count;
  }

 private:
  static clang::LangOptions language() {
    clang::LangOptions language;
    language.CPlusPlus = true;
    language.CPlusPlus11 = true;
    return language;
  }

  void advance() { lexer_.LexFromRawLexer(token_); }

  std::string_view word() const {
    return token_.is(tok::raw_identifier) ? std::string_view(token_.getRawIdentifier()) : std::string_view();
  }

  bool read_assignment() {
    if (word() == "this") {
      advance();
      if (token_.isNot(tok::arrow)) return false;
      advance();
    }
    const Property* property = entity_.property(word());
    if (!property || !property->is_sharded()) return false;
    advance();
    if (token_.isNot(tok::equal)) return false;
    int depth = 0;
    for (advance(); depth > 0 || token_.isNot(tok::semi); advance()) {
      if (token_.isOneOf(tok::hash, tok::eof)) return false;
      if (token_.isOneOf(tok::l_brace, tok::l_paren, tok::l_square)) ++depth;
      if (token_.isOneOf(tok::r_brace, tok::r_paren, tok::r_square)) --depth;
    }
    advance();
    return true;
  }

  const Entity& entity_;
  const std::string& text_;
  clang::Lexer lexer_;
  clang::Token token_;
};

}  // namespace

bool only_assigns(const Entity& entity, const Method& write, const std::vector<SourceFile>& files) {
  if (!write.has_body || write.from_macro || write.calls_shard_methods) return false;
  const std::string& source = files[write.body.file].text;
  const bool is_try = source[write.body.begin] != '{';
  if (is_try) return false;
  // What the compiler has seen in the body, whatever it looks like.
  if (!std::ranges::all_of(write.uses, &MemberUse::write)) return false;
  const std::string body = source.substr(write.statements_begin, write.body.end - write.statements_begin);
  return AssignmentReader(entity, body).read() == write.uses.size();
}

}  // namespace autoshard::tool
