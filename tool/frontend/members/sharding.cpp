#include "tool/frontend/members/sharding.h"

#include <clang/Basic/CharInfo.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <limits>

namespace autoshard::tool {
namespace {

/// How many shards there are of what is `adaptive` without limits.
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

/// Whether a call finds other functions than the expression names: those that belong to the types of its
/// arguments. It does not where the name is that of a method, or qualified, or the arguments are numbers.
bool finds_others(llvm::StringRef name, const Entity& entity, const Property& property) {
  const TypeKind kind = property.type.kind;
  return !name.contains(':') && kind != TypeKind::kBool && kind != TypeKind::kInteger &&
         kind != TypeKind::kFloating &&
         std::ranges::find(entity.methods, name.str(), &Method::name) == entity.methods.end();
}

/// Fills in Sharding::fold and Sharding::needs_invoke.
void read_fold(const std::string& expression, const Entity& entity, const Property& property,
               Sharding& sharding) {
  sharding.fold = expression;
  if (llvm::StringRef(expression).starts_with("[")) {
    sharding.fold = "(" + expression + ")";
  } else if (holds_only(expression, ":")) {
    if (finds_others(expression, entity, property)) sharding.fold = "(" + expression + ")";
  } else {
    sharding.needs_invoke = !can_be_called(expression);
  }
}

void read_shards(const Argument* shards, Sharding& sharding) {
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

/// Does nothing where one of the arguments is missing or no duration.
void read_window(const Annotation& shardable, Sharding& sharding) {
  const Argument* last = shardable.argument("last");
  const Argument* bucket = shardable.argument("bucket");
  if (!last || !bucket || !last->number || !bucket->number) return;
  sharding.last = static_cast<std::uint32_t>(*last->number);
  sharding.bucket = static_cast<std::uint32_t>(*bucket->number);
}

Sharding read_group(const Property& property, const Annotation& annotation) {
  Sharding sharding;
  sharding.neutral = "{}";
  sharding.kind = Sharding::Kind::kGroup;
  sharding.any_order = is_sequence(property.type);
  if (const Argument* shards = annotation.argument("shards")) sharding.shards = number_of_shards(*shards);
  return sharding;
}

}  // namespace

std::uint32_t number_of_shards(const Argument& argument) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(argument.number.value_or(0), 0, kMost));
}

std::optional<Sharding> read_sharding(const Entity& entity, const Property& property) {
  if (const Annotation* group = property.annotation("shard_group")) return read_group(property, *group);
  const Annotation* shardable = property.annotation("shardable");
  if (!shardable) return std::nullopt;
  Sharding sharding;
  if (const Argument* neutral = shardable->argument("neutral")) sharding.neutral = neutral->value;
  sharding.any_order = shardable->argument("order") != nullptr;
  if (const Argument* minimum = shardable->argument("min")) sharding.minimum = minimum->value;
  if (const Argument* maximum = shardable->argument("max")) sharding.maximum = maximum->value;
  read_shards(shardable->argument("shards"), sharding);
  read_window(*shardable, sharding);
  if (const Argument* fold = shardable->argument("fold")) {
    read_fold(fold->value, entity, property, sharding);
  } else if (auto folds = folds_of(entity, property); folds.size() == 1) {
    sharding.fold = entity.name + "::" + folds.front()->name;
    sharding.takes_rvalues = std::ranges::any_of(folds.front()->parameters, [](const Parameter& parameter) {
      return parameter.passing == Passing::kRvalueReference;
    });
  }
  return sharding;
}

}  // namespace autoshard::tool
