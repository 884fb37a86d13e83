#include "where.h"

#include <autoshard/errors.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdint>
#include <utility>

namespace autoshard::ctl {
namespace {

/// Characters before a byte of a UTF-8 text.
std::size_t characters_before(std::string_view text, std::size_t byte) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text.substr(0, byte), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

[[noreturn]] void refuse(std::string_view text, std::size_t byte, std::string_view why) {
  const std::size_t characters = characters_before(text, byte);
  throw InvalidUse(fmt::format("the condition is wrong at character {}: {}\n  {}\n  {:>{}}", characters + 1,
                               why, text, '^', characters + 1));
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_name_begin(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '@' || (c & 0x80) != 0;
}
bool is_in_name(char c) { return is_name_begin(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Returns the member with this path; null if there is none.
const Json* find(const Json& members, const std::vector<std::string>& path) {
  const Json* at = &members;
  for (const std::string& name : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

/// Integers of any sign compare exactly.
std::partial_ordering compare_numbers(const Json& one, const Json& other) {
  if (one.is_number_float() || other.is_number_float())
    return one.get<long double>() <=> other.get<long double>();
  const auto is_negative = [](const Json& number) {
    return !number.is_number_unsigned() && number.get<std::int64_t>() < 0;
  };
  if (is_negative(one) != is_negative(other))
    return is_negative(one) ? std::partial_ordering::less : std::partial_ordering::greater;
  return is_negative(one) ? one.get<std::int64_t>() <=> other.get<std::int64_t>()
                          : one.get<std::uint64_t>() <=> other.get<std::uint64_t>();
}

/// Values of different types, and those without an order that differ, are unordered.
std::partial_ordering compare(const Json& one, const Json& other) {
  if (one.is_number() && other.is_number()) return compare_numbers(one, other);
  if (one.is_string() && other.is_string())
    return one.get_ref<const std::string&>() <=> other.get_ref<const std::string&>();
  const bool is_equal = one.type() == other.type() && one == other;
  return is_equal ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

}  // namespace

class WhereParser {
 public:
  WhereParser(std::string_view text, Where& where) : text_(text), where_(where) {}

  void parse() {
    where_.root_ = condition(0);
    skip_spaces();
    if (at_ < text_.size()) refuse(text_, at_, "expected 'and', 'or', or the end");
  }

 private:
  using Node = Where::Node;
  using Operator = Where::Operator;

  static constexpr int kDeepest = 100;

  Node condition(int depth) {
    return list(Node::kOr, "or", [&] { return list(Node::kAnd, "and", [&] { return one(depth); }); });
  }

  template <class Item>
  Node list(Node::Kind kind, std::string_view word, const Item& item) {
    Node first = item();
    if (!take_word(word)) return first;
    Node node{.kind = kind};
    node.children.push_back(std::move(first));
    do node.children.push_back(item());
    while (take_word(word));
    return node;
  }

  Node one(int depth) {
    if (depth > kDeepest)
      refuse(text_, at_, fmt::format("more than {} levels of parentheses and 'not'", kDeepest));
    if (take_word("not")) {
      Node node{.kind = Node::kNot};
      node.children.push_back(one(depth + 1));
      return node;
    }
    if (take("(")) {
      Node node = condition(depth + 1);
      if (!take(")")) refuse(text_, at_, "expected 'and', 'or', or ')'");
      return node;
    }
    return comparison();
  }

  Node comparison() {
    Node node;
    do node.member.push_back(name());
    while (take("."));
    node.op = comparison_operator();
    skip_spaces();
    const std::size_t begin = at_;
    node.value = value();
    const bool has_order = node.value.is_number() || node.value.is_string();
    if (!has_order && node.op != Operator::kEqual && node.op != Operator::kUnequal)
      refuse(text_, begin, "true, false and null have no order: write = or !=");
    where_.members_.push_back(node.member);
    return node;
  }

  std::string name() {
    skip_spaces();
    const std::size_t begin = at_;
    const std::string_view word = peek_word();
    if (word.empty()) refuse(text_, begin, "expected the name of a member, 'not', or '('");
    if (word == "and" || word == "or" || word == "not" || word == "true" || word == "false" || word == "null")
      refuse(text_, begin, "expected the name of a member: it comes before the operator");
    at_ += word.size();
    return std::string(word);
  }

  Operator comparison_operator() {
    constexpr std::pair<std::string_view, Operator> kOperators[] = {
        {"!=", Operator::kUnequal}, {"<=", Operator::kLessOrEqual}, {">=", Operator::kGreaterOrEqual},
        {"=", Operator::kEqual},    {"<", Operator::kLess},         {">", Operator::kGreater}};
    for (const auto& [sign, op] : kOperators) {
      if (take(sign)) return op;
    }
    skip_spaces();
    refuse(text_, at_, "expected one of = != < <= > >=");
  }

  Json value() {
    const std::size_t begin = at_;
    const std::string_view token = peek_value();
    const Json parsed = Json::parse(token, nullptr, /*allow_exceptions=*/false);
    if (parsed.is_discarded() || parsed.is_structured())
      refuse(text_, begin, "expected a value: a text in double quotes, a number, true, false or null");
    at_ += token.size();
    return parsed;
  }

  /// Returns the text in quotes that begins here, or the characters until a space or a parenthesis.
  std::string_view peek_value() const {
    std::size_t end = at_;
    if (end < text_.size() && text_[end] == '"') {
      for (++end; end < text_.size() && text_[end] != '"'; ++end) {
        if (text_[end] == '\\') ++end;
      }
      return text_.substr(at_, end + 1 - at_);
    }
    while (end < text_.size() && !is_space(text_[end]) && text_[end] != '(' && text_[end] != ')') ++end;
    return text_.substr(at_, end - at_);
  }

  std::string_view peek_word() const {
    if (at_ == text_.size() || !is_name_begin(text_[at_])) return {};
    std::size_t end = at_;
    while (end < text_.size() && is_in_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
  }

  bool take(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  const std::string_view text_;
  Where& where_;
  std::size_t at_ = 0;
};

Where::Where(std::string_view text) { WhereParser(text, *this).parse(); }

bool Where::holds(const Node& node, const Json& members) {
  const auto child_holds = [&](const Node& child) { return holds(child, members); };
  switch (node.kind) {
    case Node::kAnd:
      return std::ranges::all_of(node.children, child_holds);
    case Node::kOr:
      return std::ranges::any_of(node.children, child_holds);
    case Node::kNot:
      return !child_holds(node.children.front());
    case Node::kComparison:
      break;
  }
  static const Json kNull = nullptr;
  const Json* const member = find(members, node.member);
  const std::partial_ordering order = compare(member ? *member : kNull, node.value);
  switch (node.op) {
    case Operator::kEqual:
      return order == 0;
    case Operator::kUnequal:
      return order != 0;
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

std::vector<std::string> Where::missing_in(const Json& members) const {
  std::vector<std::string> missing;
  for (const std::vector<std::string>& path : members_) {
    if (!find(members, path)) missing.push_back(fmt::format("{}", fmt::join(path, ".")));
  }
  return missing;
}

}  // namespace autoshard::ctl
