#include "tool/frontend/members/sharding.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <limits>

#include "tool/frontend/members/folds.h"

namespace autoshard::tool {
namespace {

/// The limits of `adaptive` without arguments.
constexpr std::uint32_t kLeastAdaptive = 1;
constexpr std::uint32_t kMostAdaptive = 64;

bool holds_only(llvm::StringRef text, llvm::StringRef others) {
  return llvm::all_of(text, [&](char c) {
    return clang::isAsciiIdentifierContinue(static_cast<unsigned char>(c)) || others.contains(c);
  });
}

/// Whether an argument list can follow the expression, as in `std::plus<>{}(x, y)` or `std::max<int>(x, y)`.
bool can_be_called(llvm::StringRef expression) {
  return (expression.ends_with("{}") || expression.ends_with("()") || expression.ends_with(">")) &&
         holds_only(expression, "<>{}():");
}

/// Whether a call by this name may find other functions than the expression names. These are functions of the
/// namespaces of its arguments. A call finds no others if the name is that of a method, or is qualified, or
/// if the arguments are numbers.
bool finds_others(llvm::StringRef name, const Entity& entity, const Property& property) {
  const TypeKind kind = property.type.kind;
  return !name.contains(':') && kind != TypeKind::kBool && kind != TypeKind::kInteger &&
         kind != TypeKind::kFloating &&
         std::ranges::find(entity.methods, name.str(), &Method::name) == entity.methods.end();
}

/// The identifiers in `expression`.
std::set<std::string> identifiers(const std::string& expression, const clang::LangOptions& language) {
  const char* const begin = expression.data();
  clang::Lexer lexer(clang::SourceLocation(), language, begin, begin, begin + expression.size());
  std::set<std::string> names;
  clang::Token token;
  for (bool at_end = false; !at_end;) {
    at_end = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::raw_identifier)) names.insert(token.getRawIdentifier().str());
  }
  return names;
}

/// Sets Sharding::fold, is_lambda and needs_invoke.
void name_fold(const std::string& expression, const Entity& entity, const Property& property,
               Sharding& sharding) {
  sharding.is_lambda = expression.starts_with('[');
  const bool is_name = holds_only(expression, ":");
  sharding.fold = sharding.is_lambda ? "(" + expression + ")" : expression;
  sharding.needs_invoke = is_name ? finds_others(expression, entity, property)
                                  : !sharding.is_lambda && !can_be_called(expression);
}

void read_shards(const std::optional<Argument>& shards, Sharding& sharding) {
  if (!shards) {
    sharding.kind = Sharding::Kind::kDynamic;
  } else if (is_adaptive(*shards)) {
    const std::vector<Argument>& limits = shards->arguments;
    sharding.kind = Sharding::Kind::kAdaptive;
    sharding.least = limits.size() == 2 ? number_of_shards(limits[0]) : kLeastAdaptive;
    sharding.shards = limits.size() == 2 ? number_of_shards(limits[1]) : kMostAdaptive;
  } else {
    sharding.shards = number_of_shards(*shards);
  }
}

/// Reads the span and the buckets of a window. Does nothing if one of the arguments is missing or is no
/// duration.
void read_window(const Shardable& shardable, Sharding& sharding) {
  const std::optional<Argument>& last = shardable.last;
  const std::optional<Argument>& bucket = shardable.bucket;
  if (!last || !bucket || !last->number || !bucket->number) return;
  sharding.last = static_cast<std::uint32_t>(*last->number);
  sharding.bucket = static_cast<std::uint32_t>(*bucket->number);
}

Sharding read_group(const Property& property, const ShardGroup& group) {
  Sharding sharding;
  sharding.neutral = "{}";
  sharding.neutral_is_list = sharding.neutral_is_empty = true;
  sharding.kind = Sharding::Kind::kGroup;
  sharding.any_order = is_sequence(property.type);
  if (group.shards) sharding.shards = number_of_shards(*group.shards);
  return sharding;
}

/// The value of a limit from `std::numeric_limits` for the type of `property`; nothing for another
/// expression. The header may not include <limits>, so the expression is not evaluated.
std::optional<llvm::APInt> limit(llvm::StringRef neutral, const Property& property) {
  const Type& type = property.type;
  if (!neutral.consume_front("std::numeric_limits<") ||
      (!neutral.consume_front(type.qualified + ">::") && !neutral.consume_front(property.type_text + ">::")))
    return std::nullopt;
  if (neutral == "min()" || neutral == "lowest()")
    return type.is_signed ? llvm::APInt::getSignedMinValue(type.bits) : llvm::APInt::getMinValue(type.bits);
  if (neutral != "max()") return std::nullopt;
  return type.is_signed ? llvm::APInt::getSignedMaxValue(type.bits) : llvm::APInt::getMaxValue(type.bits);
}

/// Whether a neutral value may be other than a literal or a limit.
bool has_to_be_read(llvm::StringRef neutral) {
  if (neutral.starts_with("{")) return true;
  if (neutral.starts_with("std::numeric_limits<") || neutral == "true" || neutral == "false") return false;
  return llvm::any_of(neutral,
                      [](char c) { return clang::isAsciiIdentifierStart(static_cast<unsigned char>(c)); });
}

/// Adds the effects of an argument of `property`. They are reported at the argument.
void add_effects(Effects found, const Argument& argument, Sharding& sharding) {
  for (Escape& effect : found.effects) {
    effect.span = argument.value_span;
    sharding.effects.push_back(std::move(effect));
  }
  for (UnseenCall& call : found.unseen_calls) {
    call.span = argument.value_span;
    sharding.unseen_calls.push_back(std::move(call));
  }
}

/// The neutral value, if it is a literal or a limit of the type; nothing otherwise.
std::optional<std::int64_t> neutral_value(const Argument& neutral, const Property& property) {
  const Type& type = property.type;
  if (type.kind == TypeKind::kBitset)
    return neutral.number == 0 || neutral.value == "{}" ? std::optional(std::int64_t{0}) : std::nullopt;
  if (type.kind != TypeKind::kInteger) return std::nullopt;
  std::optional<llvm::APInt> value = limit(neutral.value, property);
  const char first = neutral.value.empty() ? '\0' : neutral.value.front();
  const bool is_literal = clang::isDigit(static_cast<unsigned char>(first)) || first == '-';
  // A literal that is too large has the largest number, so it is skipped.
  if (is_literal && neutral.number && *neutral.number < std::numeric_limits<std::int64_t>::max())
    value = llvm::APInt(64, static_cast<std::uint64_t>(*neutral.number), true).zextOrTrunc(type.bits);
  if (!value) return std::nullopt;
  return (type.is_signed ? value->sextOrTrunc(64) : value->zextOrTrunc(64)).getSExtValue();
}

bool is_character(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (!builtin) return false;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Char_S:
    case clang::BuiltinType::Char_U:
    case clang::BuiltinType::WChar_S:
    case clang::BuiltinType::WChar_U:
    case clang::BuiltinType::Char8:
    case clang::BuiltinType::Char16:
    case clang::BuiltinType::Char32:
      return true;
    default:
      return false;
  }
}

/// Whether every translation unit that sees the class sees the body of `method`, too.
bool is_seen_with_class(const Method& method) {
  return method.has_body && method.is_inline && method.body.file == method.span.file;
}

/// The fold that a store can compute by itself. It can do so for integers without bounds whose number of
/// shards is fixed. Truth values and characters are excluded.
Sharding::Fold known_fold(const Sharding& sharding, const Property& property, clang::QualType type) {
  if (sharding.kind != Sharding::Kind::kStatic || sharding.is_bounded() ||
      property.type.kind != TypeKind::kInteger || is_character(type))
    return Sharding::Fold::kOther;
  if (sharding.operation == Operation::kAdd) return Sharding::Fold::kSum;
  if (sharding.operation == Operation::kMinimum) return Sharding::Fold::kMinimum;
  if (sharding.operation == Operation::kMaximum) return Sharding::Fold::kMaximum;
  return Sharding::Fold::kOther;
}

/// The operation of the only fold of a property; nothing if the fold takes another type.
std::optional<Operation> operation_of_only(const Method& fold, const Property& property) {
  const Type* type = folded_type(fold);
  return type && *type == property.type ? fold.fold_operation : std::nullopt;
}

}  // namespace

std::uint32_t number_of_shards(const Argument& argument) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(argument.number.value_or(0), 0, kMost));
}

std::optional<Sharding> read_sharding(const Entity& entity, const Property& property,
                                      const clang::FieldDecl& field, const Context& context) {
  if (property.marks.group) return read_group(property, *property.marks.group);
  if (!property.marks.shardable) return std::nullopt;
  const Shardable& shardable = *property.marks.shardable;
  Sharding sharding;
  auto* scope = const_cast<clang::CXXRecordDecl*>(llvm::cast<clang::CXXRecordDecl>(field.getParent()));
  if (shardable.neutral) {
    sharding.neutral = shardable.neutral->value;
    sharding.neutral_is_list = sharding.neutral.starts_with('{');
    if (has_to_be_read(sharding.neutral)) {
      NeutralExpression neutral = read_neutral(sharding.neutral, field, *scope, context);
      sharding.neutral_is_empty = neutral.is_empty;
      add_effects(std::move(neutral.effects), *shardable.neutral, sharding);
    }
    sharding.neutral_value = neutral_value(*shardable.neutral, property);
  }
  sharding.any_order = shardable.order.has_value();
  if (shardable.minimum) sharding.minimum = shardable.minimum->value;
  if (shardable.maximum) sharding.maximum = shardable.maximum->value;
  read_shards(shardable.shards, sharding);
  read_window(shardable, sharding);
  bool is_seen = true;
  if (shardable.fold) {
    const std::string& fold = shardable.fold->value;
    name_fold(fold, entity, property, sharding);
    FoldExpression expression = read_fold_expression(fold, field, *scope, context);
    sharding.operation = expression.operation;
    sharding.infix = std::move(expression.infix);
    sharding.constants = std::move(expression.constants);
    add_effects(std::move(expression.effects), *shardable.fold, sharding);
    sharding.mixed_keys = std::move(expression.mixed_keys);
    if (expression.throws)
      sharding.fold_throws.push_back({expression.throws->what, shardable.fold->value_span});
  } else if (auto folds = folds_of(entity, property); folds.size() == 1) {
    const Method& method = *folds.front();
    sharding.fold = entity.name + "::" + method.name;
    sharding.takes_rvalues = std::ranges::any_of(method.parameters, [](const Parameter& parameter) {
      return parameter.passing == Passing::kRvalueReference;
    });
    sharding.operation = operation_of_only(method, property);
    sharding.mixed_keys = method.mixed_keys;
    is_seen = is_seen_with_class(method);
  }
  sharding.fold_names = identifiers(sharding.fold, context.language);
  sharding.uses_std =
      sharding.fold_names.contains("std") || identifiers(sharding.neutral, context.language).contains("std");
  if (is_seen) sharding.known_fold = known_fold(sharding, property, field.getType());
  return sharding;
}

}  // namespace autoshard::tool
