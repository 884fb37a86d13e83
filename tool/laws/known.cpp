#include "tool/laws/known.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tool/laws/known_write.h"
#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

using Tokens = std::vector<std::string>;

/// With what integers are folded.
enum class Operation { kSum, kProduct, kOr, kXor, kAnd, kMaximum, kMinimum };

struct Spelling {
  Operation operation;
  std::string_view infix;
  std::string_view functor;
  std::string_view assignment;
};
constexpr Spelling kSpellings[] = {{Operation::kSum, "+", "std::plus", "+="},
                                   {Operation::kProduct, "*", "std::multiplies", "*="},
                                   {Operation::kOr, "|", "std::bit_or", "|="},
                                   {Operation::kXor, "^", "std::bit_xor", "^="},
                                   {Operation::kAnd, "&", "std::bit_and", "&="}};

/// A number may have separators between its digits.
bool is_part_of_word(char c) { return is_of_word(c) || c == '\''; }

/// How long the operator is with which `text` begins; 0 where it is none of those that are read here.
std::size_t operator_length(std::string_view text) {
  for (const char* pair : {"++", "--", "+=", "-=", "*=", "|=", "^=", "&=", ">=", "<=", "::"}) {
    if (text.starts_with(pair)) return 2;
  }
  for (const char* other : {"&&", "||", "<<", ">>"}) {
    if (text.starts_with(other)) return 0;
  }
  return std::string_view("{}()[];,+*|^&=<>?:").find(text.front()) == std::string_view::npos ? 0 : 1;
}

/// The tokens of `text`, or nothing where there are others than what is read here consists of.
std::optional<Tokens> tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
      ++at;
    } else if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      if (at > 0 && text[at - 1] == '\\') return std::nullopt;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) return std::nullopt;
      at = end + 2;
    } else {
      const std::string_view word = run_at(text, at, is_part_of_word);
      const std::size_t length = word.empty() ? operator_length(rest) : word.size();
      if (length == 0) return std::nullopt;
      tokens.emplace_back(rest.substr(0, length));
      at += length;
    }
  }
  return tokens;
}

std::optional<Tokens> tokens_of_body(const Method& method, const std::vector<SourceFile>& files) {
  if (!method.has_body || method.from_macro || method.is_template) return std::nullopt;
  const std::string_view text = files[method.body.file].text;
  return tokens_of(text.substr(method.body.begin, method.body.end - method.body.begin));
}

/// Goes through tokens, and stays where they are not what is asked for.
class TokenReader {
 public:
  explicit TokenReader(Tokens tokens) : tokens_(std::move(tokens)) {}

  bool at_end() const { return at_ == tokens_.size(); }
  const std::string& next() const {
    static const std::string kNothing;
    return at_end() ? kNothing : tokens_[at_];
  }
  bool take(std::string_view token) {
    const bool is_there = next() == token;
    if (is_there) ++at_;
    return is_there;
  }
  /// Whether all are there, one after the other.
  bool take_all(std::initializer_list<std::string_view> tokens) {
    return std::ranges::all_of(tokens, [this](std::string_view token) { return take(token); });
  }
  std::string take_any() {
    std::string token = next();
    if (!at_end()) ++at_;
    return token;
  }

 private:
  Tokens tokens_;
  std::size_t at_ = 0;
};

/// `a > b`: which of the two is then the greater one.
struct Comparison {
  std::string greater;
  std::string less;
};

std::optional<Comparison> read_comparison(TokenReader& reader) {
  std::string one = reader.take_any();
  const bool is_greater = reader.next().starts_with(">");
  if (!is_greater && !reader.next().starts_with("<")) return std::nullopt;
  reader.take_any();
  std::string other = reader.take_any();
  if (is_greater) return Comparison{std::move(one), std::move(other)};
  return Comparison{std::move(other), std::move(one)};
}

/// The greater or the less of two.
struct Extreme {
  Operation operation;
  std::string one;
  std::string other;

  bool is_of(const std::string& x, const std::string& y) const {
    return (one == x && other == y) || (one == y && other == x);
  }
};

/// `std::max(x, y)`, `x > y ? x : y` and their like.
std::optional<Extreme> read_extreme(TokenReader& reader) {
  if (reader.take("std")) {
    if (!reader.take("::")) return std::nullopt;
    const std::string function = reader.take_any();
    if ((function != "max" && function != "min") || !reader.take("(")) return std::nullopt;
    std::string one = reader.take_any();
    if (!reader.take(",")) return std::nullopt;
    std::string other = reader.take_any();
    if (!reader.take(")")) return std::nullopt;
    return Extreme{function == "max" ? Operation::kMaximum : Operation::kMinimum, std::move(one),
                   std::move(other)};
  }
  const bool is_enclosed = reader.take("(");
  const auto comparison = read_comparison(reader);
  if (!comparison || (is_enclosed && !reader.take(")")) || !reader.take("?")) return std::nullopt;
  const auto& [greater, less] = *comparison;
  if (reader.take_all({greater, ":", less})) return Extreme{Operation::kMaximum, greater, less};
  if (reader.take_all({less, ":", greater})) return Extreme{Operation::kMinimum, greater, less};
  return std::nullopt;
}

/// What a function returns with this `body`, out of its parameters.
std::optional<Operation> operation_in(const Tokens& body, const std::string& x, const std::string& y) {
  for (const Spelling& spelling : kSpellings) {
    const std::string infix(spelling.infix);
    if (body == Tokens{"{", "return", x, infix, y, ";", "}"} ||
        body == Tokens{"{", "return", y, infix, x, ";", "}"})
      return spelling.operation;
  }
  TokenReader reader(body);
  if (!reader.take_all({"{", "return"})) return std::nullopt;
  const auto extreme = read_extreme(reader);
  if (!extreme || !extreme->is_of(x, y) || !reader.take_all({";", "}"})) return std::nullopt;
  return extreme->operation;
}

/// The name of the next parameter of a lambda, if its type is that of `property`.
std::optional<std::string> read_parameter(TokenReader& reader, const Property& property) {
  reader.take("const");
  std::string type;
  std::string name;
  while (reader.next() != "," && reader.next() != ")" && !reader.at_end()) {
    if (!name.empty() && name != "&") type += name;
    name = reader.take_any();
  }
  if (type != "auto" && type != property.type.qualified && type != property.type_text) return std::nullopt;
  return name;
}

std::optional<Operation> operation_of_lambda(const std::string& text, const Property& property) {
  const auto tokens = tokens_of(text);
  if (!tokens) return std::nullopt;
  TokenReader reader(*tokens);
  if (!reader.take_all({"[", "]", "("})) return std::nullopt;
  const auto x = read_parameter(reader, property);
  if (!x || !reader.take(",")) return std::nullopt;
  const auto y = read_parameter(reader, property);
  if (!y || !reader.take(")")) return std::nullopt;
  return operation_in(Tokens(std::ranges::find(*tokens, "{"), tokens->end()), *x, *y);
}

std::optional<Operation> operation_of_expression(const std::string& fold, const Property& property) {
  for (const Spelling& spelling : kSpellings) {
    const std::string functor(spelling.functor);
    if (fold == functor + "<>{}" || fold == functor + "{}") return spelling.operation;
  }
  return operation_of_lambda(fold, property);
}

/// What the fold of `property` is, where it is one of these on integers of the property's own type.
std::optional<Operation> operation_of(const Entity& entity, const Property& property,
                                      const std::vector<SourceFile>& files) {
  if (!property.sharding || property.type.kind != TypeKind::kInteger) return std::nullopt;
  const Annotation* shardable = property.annotation("shardable");
  if (const Argument* fold = shardable ? shardable->argument("fold") : nullptr)
    return operation_of_expression(fold->value, property);
  const std::vector<const Method*> folds = folds_of(entity, property);
  if (folds.size() != 1) return std::nullopt;
  const Method& fold = *folds.front();
  const Type* type = folded_type(fold);
  if (!type || type->canonical != property.type.canonical) return std::nullopt;
  const auto body = tokens_of_body(fold, files);
  if (!body) return std::nullopt;
  const Method& defined = fold.definition.empty() ? fold : fold.definition.front();
  return operation_in(*body, defined.parameters[0].name, defined.parameters[1].name);
}

/// `7`, `1'000u`; what has another base, a point or an exponent is none of these.
bool is_number(const std::string& token) {
  const std::size_t suffix = token.find_first_not_of("0123456789'");
  return suffix != 0 &&
         (suffix == std::string::npos || token.find_first_not_of("uUlL", suffix) == std::string::npos);
}

bool is_digit(const std::string& token, char digit) {
  return is_number(token) && token.front() == digit &&
         token.find_first_not_of("uUlL", 1) == std::string::npos;
}

/// Whether `neutral` is what `std::numeric_limits` says of the type of `property`.
bool is_limit(const std::string& neutral, const Property& property, const char* limit) {
  return std::ranges::any_of(std::array{property.type.qualified, property.type_text},
                             [&](const std::string& type) {
                               return neutral == "std::numeric_limits<" + type + ">::" + limit + "()";
                             });
}

bool is_neutral(Operation operation, const Property& property) {
  const std::string& neutral = property.sharding->neutral;
  switch (operation) {
    case Operation::kSum:
    case Operation::kOr:
    case Operation::kXor:
      return is_digit(neutral, '0');
    case Operation::kProduct:
      return is_digit(neutral, '1');
    case Operation::kMaximum:
      return (property.type.canonical.starts_with("unsigned") && is_digit(neutral, '0')) ||
             is_limit(neutral, property, "min") || is_limit(neutral, property, "lowest");
    case Operation::kMinimum:
      return is_limit(neutral, property, "max");
    case Operation::kAnd:
      break;
  }
  return false;
}

/// What one statement of a shard method does to a member.
struct Step {
  std::string member;
  Operation operation;
  std::string with{};  ///< the parameter, of a maximum or minimum
};

/// Reads the body of a shard method.
class UpdateParser {
 public:
  UpdateParser(const Method& method, Tokens body) : method_(method), reader_(std::move(body)) {}

  /// What the body does, or nothing where it does anything else.
  std::optional<std::vector<Step>> read() {
    std::vector<Step> steps;
    if (!reader_.take("{")) return std::nullopt;
    while (!reader_.take("}")) {
      auto step = read_statement();
      if (!step) return std::nullopt;
      steps.push_back(std::move(*step));
    }
    return reader_.at_end() ? std::optional(std::move(steps)) : std::nullopt;
  }

 private:
  std::optional<Step> read_statement() { return reader_.take("if") ? read_condition() : read_assignment(); }

  /// `if (points > best_) best_ = points;`
  std::optional<Step> read_condition() {
    if (!reader_.take("(")) return std::nullopt;
    const auto comparison = read_comparison(reader_);
    if (!comparison || !reader_.take(")")) return std::nullopt;
    const auto& [greater, less] = *comparison;
    const bool in_braces = reader_.take("{");
    std::optional<Step> step;
    if (reader_.take_all({less, "=", greater, ";"}))
      step = Step{less, Operation::kMaximum, greater};
    else if (reader_.take_all({greater, "=", less, ";"}))
      step = Step{greater, Operation::kMinimum, less};
    return !in_braces || reader_.take("}") ? step : std::nullopt;
  }

  /// `++played_;`, `played_ += seconds;`, `best_ = std::max(best_, points);`
  std::optional<Step> read_assignment() {
    const bool is_prefixed = reader_.take("++") || reader_.take("--");
    Step step{reader_.take_any(), Operation::kSum};
    if (reader_.take("=")) {
      const auto extreme = read_extreme(reader_);
      if (is_prefixed || !extreme) return std::nullopt;
      step.operation = extreme->operation;
      step.with = extreme->one == step.member ? extreme->other : extreme->one;
      if (!extreme->is_of(step.member, step.with)) return std::nullopt;
    } else if (!is_prefixed && !reader_.take("++") && !reader_.take("--")) {
      const auto operation = take_assignment_operator();
      if (!operation || !is_amount(reader_.take_any())) return std::nullopt;
      step.operation = *operation;
    }
    return reader_.take(";") ? std::optional(step) : std::nullopt;
  }

  std::optional<Operation> take_assignment_operator() {
    if (reader_.take("-=")) return Operation::kSum;
    for (const Spelling& spelling : kSpellings) {
      if (reader_.take(spelling.assignment)) return spelling.operation;
    }
    return std::nullopt;
  }

  bool is_amount(const std::string& token) const {
    if (is_number(token)) return true;
    const auto parameter = std::ranges::find(method_.parameters, token, &Parameter::name);
    if (parameter == method_.parameters.end() || parameter->passing == Passing::kReference) return false;
    return parameter->type.kind == TypeKind::kInteger || parameter->type.kind == TypeKind::kBool;
  }

  const Method& method_;
  TokenReader reader_;
};

/// Whether `step` is of the kind of its member's fold.
bool commutes(const Step& step, const Entity& entity, const Method& method,
              const std::vector<SourceFile>& files) {
  const Property* property = entity.property(step.member);
  if (!property || operation_of(entity, *property, files) != step.operation) return false;
  if (step.with.empty()) return true;
  // Of another type, it may not be the same any more once it is stored.
  const auto parameter = std::ranges::find(method.parameters, step.with, &Parameter::name);
  return parameter != method.parameters.end() && parameter->passing != Passing::kReference &&
         parameter->type.canonical == property->type.canonical;
}

bool commutes(const Entity& entity, const Method& method, const std::vector<SourceFile>& files) {
  const auto is_group = [&](const std::string& member) { return entity.property(member)->is_group(); };
  if (method.has_body && !method.touches.empty() && std::ranges::all_of(method.touches, is_group))
    return true;
  auto body = tokens_of_body(method, files);
  if (!body) return false;
  const auto steps = UpdateParser(method, std::move(*body)).read();
  if (!steps) return false;
  // What the compiler has seen in the body, whatever it looks like.
  std::set<std::string> members;
  for (const Step& step : *steps) members.insert(step.member);
  return members == std::set(method.touches.begin(), method.touches.end()) &&
         std::ranges::all_of(*steps, [&](const Step& step) { return commutes(step, entity, method, files); });
}

/// Whether `law`, one of a fold, is one of those that `operation` has.
bool is_law_of(Operation operation, const Law& law) {
  if (law.kind == Law::Kind::kAdds) return operation == Operation::kSum;
  return law.kind != Law::Kind::kNeutral || is_neutral(operation, *law.property);
}

bool is_character(const Type& type) {
  constexpr std::string_view kCharacters[] = {"char", "wchar_t", "char8_t", "char16_t", "char32_t"};
  return std::ranges::find(kCharacters, type.canonical) != std::end(kCharacters);
}

/// Whether every translation unit that sees the class sees the body of `method`, too.
bool is_seen_with_class(const Method& method) {
  return method.has_body && method.is_inline && method.body.file == method.span.file;
}

Sharding::Fold known_fold(const Entity& entity, const Property& property,
                          const std::vector<SourceFile>& files) {
  const Sharding& sharding = *property.sharding;
  if (sharding.kind != Sharding::Kind::kStatic || sharding.is_bounded() || is_character(property.type))
    return Sharding::Fold::kOther;
  const Annotation* shardable = property.annotation("shardable");
  if (shardable && !shardable->argument("fold") &&
      !std::ranges::all_of(folds_of(entity, property),
                           [](const Method* fold) { return is_seen_with_class(*fold); }))
    return Sharding::Fold::kOther;
  const auto operation = operation_of(entity, property, files);
  if (operation == Operation::kSum) return Sharding::Fold::kSum;
  if (operation == Operation::kMinimum) return Sharding::Fold::kMinimum;
  if (operation == Operation::kMaximum) return Sharding::Fold::kMaximum;
  return Sharding::Fold::kOther;
}

}  // namespace

bool follows_from_form(const Entity& entity, const Law& law, const std::vector<SourceFile>& files) {
  if (law.kind == Law::Kind::kReplaces) return only_assigns(entity, *law.method, files);
  if (law.method) return commutes(entity, *law.method, files);
  const auto operation = operation_of(entity, *law.property, files);
  return operation && is_law_of(*operation, law);
}

Model with_known_folds(Model model) {
  for (Entity& entity : model.entities) {
    for (Property& property : entity.properties) {
      if (property.sharding) property.sharding->known_fold = known_fold(entity, property, model.files);
    }
  }
  return model;
}

}  // namespace autoshard::tool
