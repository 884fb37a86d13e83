#include "tool/laws/known.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace autoshard::tool {
namespace {

using Tokens = std::vector<std::string>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\''; }

/// The tokens of `text`, or nothing where there are others than such a body consists of.
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
    } else if (is_word(rest.front())) {
      const auto end = std::ranges::find_if_not(rest, is_word);
      tokens.emplace_back(rest.begin(), end);
      at += tokens.back().size();
    } else {
      const bool is_double = rest.starts_with("++") || rest.starts_with("--") || rest.starts_with("+=") ||
                             rest.starts_with("-=");
      if (!is_double && std::string_view("{};+").find(rest.front()) == std::string_view::npos)
        return std::nullopt;
      tokens.emplace_back(rest.substr(0, is_double ? 2 : 1));
      at += tokens.back().size();
    }
  }
  return tokens;
}

std::optional<Tokens> body_of(const Method& method, const std::vector<SourceFile>& files) {
  if (!method.has_body || method.from_macro || method.is_template) return std::nullopt;
  const std::string_view text = files[method.body.file].text;
  return tokens_of(text.substr(method.body.begin, method.body.end - method.body.begin));
}

bool adds_its_parameters(const Method& fold, const std::vector<SourceFile>& files) {
  if (fold.parameters.size() != 2) return false;
  const std::string& x = fold.parameters[0].name;
  const std::string& y = fold.parameters[1].name;
  const auto body = body_of(fold, files);
  return body == Tokens{"{", "return", x, "+", y, ";", "}"} ||
         body == Tokens{"{", "return", y, "+", x, ";", "}"};
}

/// Whether the fold of `property` is a sum of integers of the property's own type.
bool is_sum(const Entity& entity, const Property& property, const std::vector<SourceFile>& files) {
  if (!property.sharding || property.type.kind != TypeKind::kInteger) return false;
  const Annotation* shardable = property.annotation("shardable");
  if (const Argument* fold = shardable ? shardable->argument("fold") : nullptr)
    return fold->value == "std::plus<>{}" || fold->value == "std::plus{}";
  const std::vector<const Method*> folds = folds_of(entity, property);
  if (folds.size() != 1) return false;
  const Type* type = folded_type(*folds.front());
  return type && type->canonical == property.type.canonical && adds_its_parameters(*folds.front(), files);
}

/// `7`, `1'000u`; what has another base, a point or an exponent is none of these.
bool is_number(const std::string& token) {
  const std::size_t suffix = token.find_first_not_of("0123456789'");
  return suffix != 0 &&
         (suffix == std::string::npos || token.find_first_not_of("uUlL", suffix) == std::string::npos);
}

bool is_zero(const std::string& neutral) {
  return is_number(neutral) && neutral.find_first_not_of("0uUlL") == std::string::npos;
}

/// Reads the body of a shard method.
class UpdateReader {
 public:
  UpdateReader(const Method& method, Tokens body) : method_(method), body_(std::move(body)) {}

  /// The members that the body adds to, or nothing where it does anything else.
  std::optional<std::set<std::string>> read() {
    if (!take("{")) return std::nullopt;
    while (!take("}")) {
      if (!read_statement()) return std::nullopt;
    }
    if (at_ != body_.size()) return std::nullopt;
    return std::move(members_);
  }

 private:
  const std::string& next() const {
    static const std::string kNothing;
    return at_ < body_.size() ? body_[at_] : kNothing;
  }
  bool take(std::string_view token) {
    const bool is_there = next() == token;
    if (is_there) ++at_;
    return is_there;
  }

  bool read_statement() {
    const bool is_prefixed = take("++") || take("--");
    members_.insert(next());
    ++at_;
    if (!is_prefixed && !take("++") && !take("--")) {
      if (!take("+=") && !take("-=")) return false;
      if (!is_amount(next())) return false;
      ++at_;
    }
    return take(";");
  }

  bool is_amount(const std::string& token) const {
    if (is_number(token)) return true;
    const auto parameter = std::ranges::find(method_.parameters, token, &Parameter::name);
    if (parameter == method_.parameters.end() || parameter->passing == Passing::kReference) return false;
    return parameter->type.kind == TypeKind::kInteger || parameter->type.kind == TypeKind::kBool;
  }

  const Method& method_;
  Tokens body_;
  std::size_t at_ = 0;
  std::set<std::string> members_;
};

bool only_adds(const Entity& entity, const Method& method, const std::vector<SourceFile>& files) {
  auto body = body_of(method, files);
  if (!body) return false;
  const auto members = UpdateReader(method, std::move(*body)).read();
  // What the compiler has seen in the body, whatever it looks like.
  if (!members || *members != std::set(method.touches.begin(), method.touches.end())) return false;
  return std::ranges::all_of(*members, [&](const std::string& member) {
    const Property* property = entity.property(member);
    return property && is_sum(entity, *property, files);
  });
}

}  // namespace

bool follows_from_form(const Entity& entity, const Law& law, const std::vector<SourceFile>& files) {
  if (law.method) return only_adds(entity, *law.method, files);
  if (!is_sum(entity, *law.property, files)) return false;
  return law.kind != Law::Kind::kNeutral || is_zero(law.property->sharding->neutral);
}

}  // namespace autoshard::tool
