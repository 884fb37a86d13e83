#include "mutations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace autoshard::tool {
namespace {

struct Token {
  enum class Kind { kName, kNumber, kText, kSign };
  Kind kind = Kind::kSign;
  std::string_view text;
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_in_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Longest first.
constexpr std::array<std::string_view, 29> kSigns = {
    "<<=", ">>=", "<=>", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ".*", "[[", "]]", "##"};

std::size_t end_of_token(std::string_view text, std::size_t at, Token::Kind& kind) {
  const char first = text[at];
  std::size_t end = at + 1;
  if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
    kind = Token::Kind::kNumber;
    while (end < text.size() && (is_in_name(text[end]) || text[end] == '\'' || text[end] == '.')) ++end;
    return end;
  }
  if (is_in_name(first)) {
    kind = Token::Kind::kName;
    while (end < text.size() && is_in_name(text[end])) ++end;
    return end;
  }
  if (first == '"' || first == '\'') {
    kind = Token::Kind::kText;
    while (end < text.size() && text[end] != first) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  kind = Token::Kind::kSign;
  for (const std::string_view sign : kSigns) {
    if (text.substr(at).starts_with(sign)) return at + sign.size();
  }
  return end;
}

std::vector<Token> tokens_of(std::string_view text, std::size_t begin, std::size_t limit) {
  std::vector<Token> tokens;
  text = text.substr(0, limit);
  for (std::size_t at = begin; at < limit;) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), limit);
    } else if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at) + 2, limit);
    } else {
      Token token;
      token.begin = at;
      token.end = at = end_of_token(text, at, token.kind);
      token.text = text.substr(token.begin, token.end - token.begin);
      tokens.push_back(token);
    }
  }
  return tokens;
}

const std::map<std::string_view, std::vector<std::string>>& other_signs() {
  static const std::map<std::string_view, std::vector<std::string>> kOthers = {{"+", {"-", "*"}},
                                                                               {"-", {"+"}},
                                                                               {"*", {"+", "/"}},
                                                                               {"/", {"*"}},
                                                                               {"%", {"/", "*"}},
                                                                               {"+=", {"-=", "="}},
                                                                               {"-=", {"+=", "="}},
                                                                               {"*=", {"+=", "="}},
                                                                               {"/=", {"*="}},
                                                                               {"%=", {"="}},
                                                                               {"|=", {"&=", "^=", "="}},
                                                                               {"&=", {"|=", "="}},
                                                                               {"^=", {"|=", "+=", "="}},
                                                                               {"=", {"+=", "-="}},
                                                                               {"<", {"<=", ">"}},
                                                                               {"<=", {"<", ">="}},
                                                                               {">", {">=", "<"}},
                                                                               {">=", {">", "<="}},
                                                                               {"==", {"!=", "<="}},
                                                                               {"!=", {"==", "<"}},
                                                                               {"&&", {"||"}},
                                                                               {"||", {"&&"}},
                                                                               {"|", {"&", "^", "+"}},
                                                                               {"&", {"|"}},
                                                                               {"^", {"|", "+"}},
                                                                               {"<<", {">>"}},
                                                                               {">>", {"<<"}},
                                                                               {"++", {"--"}},
                                                                               {"--", {"++"}},
                                                                               {"!", {""}},
                                                                               {"~", {"", "-"}}};
  return kOthers;
}

const std::map<std::string_view, std::vector<std::string>>& other_names() {
  static const std::map<std::string_view, std::vector<std::string>> kOthers = {
      {"min", {"max"}},
      {"max", {"min", "lowest"}},
      {"lowest", {"max"}},
      {"plus", {"minus", "bit_xor"}},
      {"bit_or", {"bit_and", "bit_xor", "plus"}},
      {"bit_and", {"bit_or"}},
      {"bit_xor", {"bit_or", "plus"}},
      {"multiplies", {"plus"}},
      {"first", {"second"}},
      {"second", {"first"}},
      {"true", {"false"}},
      {"false", {"true"}},
      {"begin", {"end"}},
      {"minmax", {"minmax_element"}},
      {"less", {"greater"}},
      {"greater", {"less"}},
      {"if", {"while"}},
      {"break", {"continue"}},
      {"continue", {"break"}}};
  return kOthers;
}

/// Words that are no names of values.
bool is_keyword(std::string_view name) {
  static const std::set<std::string_view> kWords = {"if",
                                                    "else",
                                                    "for",
                                                    "while",
                                                    "do",
                                                    "return",
                                                    "const",
                                                    "auto",
                                                    "static_cast",
                                                    "int",
                                                    "bool",
                                                    "static",
                                                    "using",
                                                    "constexpr",
                                                    "std",
                                                    "true",
                                                    "false",
                                                    "unsigned",
                                                    "char",
                                                    "double",
                                                    "float",
                                                    "size_t",
                                                    "sizeof",
                                                    "switch",
                                                    "case",
                                                    "default",
                                                    "break",
                                                    "void",
                                                    "struct",
                                                    "inline",
                                                    "this",
                                                    "numeric_limits",
                                                    "reinterpret_cast"};
  return kWords.contains(name);
}

class Mutator {
 public:
  Mutator(std::string_view text, std::size_t begin, std::size_t end)
      : text_(text), tokens_(tokens_of(text, begin, end)) {}

  std::vector<Mutation> run() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      replace_sign(at);
      replace_name(at);
      replace_number(at);
      swap_arguments(at);
      change_condition(at);
      swap_alternatives(at);
      drop_statement(at);
    }
    return std::move(mutations_);
  }

 private:
  std::string_view sign(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == Token::Kind::kSign ? tokens_[at].text
                                                                         : std::string_view();
  }
  /// A variable, constant or function, as types are called in these classes with a capital.
  bool is_name(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == Token::Kind::kName && !is_keyword(tokens_[at].text) &&
           std::isupper(static_cast<unsigned char>(tokens_[at].text.front())) == 0 &&
           !tokens_[at].text.ends_with("_t");
  }

  void add(std::size_t first, std::size_t last, std::string text) {
    const std::size_t begin = tokens_[first].begin;
    const std::size_t end = tokens_[last].end;
    if (text_.substr(begin, end - begin) != text) mutations_.push_back({begin, end, std::move(text)});
  }

  std::string between(std::size_t first, std::size_t last) const {
    return first > last
               ? ""
               : std::string(text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin));
  }

  void replace_sign(std::size_t at) {
    const auto others = other_signs().find(sign(at));
    if (others == other_signs().end()) return;
    for (const std::string& other : others->second) add(at, at, other);
  }

  void replace_name(std::size_t at) {
    if (tokens_[at].kind != Token::Kind::kName) return;
    if (const auto others = other_names().find(tokens_[at].text); others != other_names().end()) {
      for (const std::string& other : others->second) add(at, at, other);
    }
    if (!is_name(at) || sign(at + 1) == "::" || sign(at + 1) == "(") return;
    // Two names beside this one, among those that stand in its place elsewhere.
    std::set<std::string_view> others;
    for (std::size_t near = at > 12 ? at - 12 : 0; near < std::min(at + 12, tokens_.size()); ++near) {
      const bool is_member = near > 0 && (sign(near - 1) == "." || sign(near - 1) == "::");
      const bool is_one = at > 0 && (sign(at - 1) == "." || sign(at - 1) == "::");
      if (is_name(near) && is_member == is_one && sign(near + 1) != "::" &&
          tokens_[near].text != tokens_[at].text)
        others.insert(tokens_[near].text);
      if (others.size() == 2) break;
    }
    for (const std::string_view other : others) add(at, at, std::string(other));
    if (sign(at + 1) == "]") add(at, at, std::string(tokens_[at].text) + " + 1");
  }

  void replace_number(std::size_t at) {
    if (tokens_[at].kind != Token::Kind::kNumber) return;
    std::string digits(tokens_[at].text);
    std::erase(digits, '\'');
    std::size_t length = 0;
    while (length < digits.size() && std::isdigit(static_cast<unsigned char>(digits[length])) != 0) ++length;
    if (length == 0 || length > 18 ||
        (length < digits.size() && std::string_view("xXbB.").find(digits[length]) != std::string_view::npos))
      return add(at, at, "1");
    const long long value = std::stoll(digits.substr(0, length));
    const std::string suffix = digits.substr(length);
    for (const long long other : {value + 1, value - 1, value * 2, 0LL}) {
      if (other >= 0 && (other != value)) add(at, at, std::to_string(other) + suffix);
    }
  }

  /// The end of what begins at `at`, up to one of `ends` outside of all parentheses.
  std::optional<std::size_t> find_outside(std::size_t at, std::string_view one,
                                          std::string_view other) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      const std::string_view here = sign(at);
      if (depth == 0 && !here.empty() && (here == one || here == other)) return at;
      if (here == "(" || here == "[" || here == "{") ++depth;
      if (here == ")" || here == "]" || here == "}") --depth;
      if (depth < 0) return std::nullopt;
    }
    return std::nullopt;
  }

  void swap_arguments(std::size_t at) {
    if (sign(at) != "(" && sign(at) != "{") return;
    const auto comma = find_outside(at + 1, ",", ",");
    if (!comma) return;
    const auto end = find_outside(*comma + 1, sign(at) == "(" ? ")" : "}", ",");
    if (!end || *comma == at + 1 || *end == *comma + 1) return;
    add(at + 1, *end - 1, between(*comma + 1, *end - 1) + ", " + between(at + 1, *comma - 1));
    add(at + 1, *comma - 1, between(*comma + 1, *end - 1));
  }

  void change_condition(std::size_t at) {
    if (tokens_[at].text != "if" || sign(at + 1) != "(") return;
    const auto end = find_outside(at + 2, ")", ")");
    if (!end || *end == at + 2) return;
    add(at + 2, *end - 1, "true");
    add(at + 2, *end - 1, "false");
    add(at + 2, *end - 1, "!(" + between(at + 2, *end - 1) + ")");
  }

  void swap_alternatives(std::size_t at) {
    if (sign(at) != "?") return;
    const auto colon = find_outside(at + 1, ":", ":");
    const auto end = colon ? end_of_alternative(*colon + 1) : std::nullopt;
    if (!end || *end == *colon + 1) return;
    add(at + 1, *end - 1, between(*colon + 1, *end - 1) + " : " + between(at + 1, *colon - 1));
    add(at + 1, *colon - 1, between(*colon + 1, *end - 1));
  }

  std::optional<std::size_t> end_of_alternative(std::size_t at) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      const std::string_view here = sign(at);
      if (depth == 0 && (here == ";" || here == "," || here == ")" || here == "}")) return at;
      if (here == "(" || here == "[" || here == "{") ++depth;
      if (here == ")" || here == "]" || here == "}") --depth;
    }
    return std::nullopt;
  }

  void drop_statement(std::size_t at) {
    const bool begins = at > 0 && (sign(at - 1) == ";" || sign(at - 1) == "{" || sign(at - 1) == "}" ||
                                   sign(at - 1) == ")" || tokens_[at - 1].text == "else");
    if (!begins || sign(at) == ";" || sign(at) == "{" || sign(at) == "}") return;
    if (const auto end = find_outside(at, ";", ";")) add(at, *end, ";");
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Mutation> mutations_;
};

}  // namespace

std::vector<Mutation> mutations_of(std::string_view text, std::size_t begin, std::size_t end) {
  return Mutator(text, begin, end).run();
}

}  // namespace autoshard::tool
