#include "tool/laws/counterexample.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/model/law_tags.h"

namespace autoshard::tool {
namespace {

using fmt::literals::operator""_a;

/// The rule that reports a counterexample to such a law.
std::string_view rule_of(Law::Kind kind) {
  switch (kind) {
    case Law::Kind::kCommutative:
      return tags::kFoldNotCommutative;
    case Law::Kind::kAssociative:
      return tags::kFoldNotAssociative;
    case Law::Kind::kNeutral:
      return tags::kNeutralNotIdentity;
    case Law::Kind::kCommutes:
      return tags::kMethodDoesNotCommute;
    case Law::Kind::kReplaces:
      return tags::kWriteNotReplacing;
    case Law::Kind::kAdds:
      return tags::kBoundedFold;
  }
  return {};
}

/// As two sequences look that have the same elements.
bool same_characters(const std::string& one, const std::string& other) {
  return std::ranges::is_permutation(one, other);
}

const Method* fold_method(const Entity& entity, const Property& property) {
  if (property.marks.shardable && property.marks.shardable->fold) return nullptr;
  const std::vector<const Method*> folds = folds_of(entity, property);
  return folds.empty() ? nullptr : folds.front();
}

Span place_of_fold(const Entity& entity, const Property& property) {
  if (const Method* method = fold_method(entity, property)) return method->span;
  const std::optional<Argument>& fold = property.marks.shardable->fold;
  return fold ? fold->value_span : property.span;
}

Span place_of_neutral(const Property& property) {
  const std::optional<Argument>& neutral = property.marks.shardable->neutral;
  return neutral ? neutral->value_span : property.span;
}

Diagnostic of_method(const Law& law, Trier& trier, const Probe::Trial& trial,
                     const Evaluator::Arguments& broken) {
  Diagnostic found;
  found.rule = rule_of(law.kind);
  found.span = law.method->span;
  const std::string x = trier.sample(trial, broken, 0);
  const std::string y = trier.sample(trial, broken, 1);
  const std::string call = fmt::format("{}({})", law.method->name, trier.sample(trial, broken, 2));
  const std::string left = trier.left(trial, broken);
  const std::string right = trier.right(trial, broken);
  if (law.kind == Law::Kind::kReplaces) {
    found.message = fmt::format(
        "{call} on {x} leaves {left}, but on {y} leaves {right}; a shard write replaces the value, "
        "whatever that was before",
        "call"_a = call, "x"_a = x, "y"_a = y, "left"_a = left, "right"_a = right);
    return found;
  }
  found.message = fmt::format(
      "{call} after folding {x} and {y} gives {left}, but {call} on {x}, folded with {y}, gives {right}; "
      "an update must come to the same on whichever shard it runs",
      "call"_a = call, "x"_a = x, "y"_a = y, "left"_a = left, "right"_a = right);
  if (law.method->only_assigns)
    found.message += ", unless it is marked [[autoshard::shard_write]] to replace the value";
  return found;
}

Diagnostic of_fold(const Entity& entity, const Law& law, Trier& trier, const Probe::Trial& trial,
                   const Evaluator::Arguments& broken) {
  Diagnostic found;
  found.rule = rule_of(law.kind);
  const Span place = place_of_fold(entity, *law.property);
  found.span = law.kind == Law::Kind::kNeutral ? place_of_neutral(*law.property) : place;
  const std::string fold = fold_name(entity, *law.property);
  const std::string x = trier.sample(trial, broken, 0);
  const std::string y = trier.sample(trial, broken, 1);
  const std::string left = trier.left(trial, broken);
  const std::string right = trier.right(trial, broken);
  const auto say = [&](fmt::string_view message, const std::string& z = "") {
    found.message =
        fmt::vformat(message, fmt::make_format_args("fold"_a = fold, "x"_a = x, "y"_a = y, "z"_a = z,
                                                    "left"_a = left, "right"_a = right));
  };
  if (law.kind == Law::Kind::kCommutative) {
    say("{fold}({x}, {y}) is {left} but {fold}({y}, {x}) is {right}; shards are folded in no particular "
        "order");
    if (is_sequence(law.property->type) && same_characters(left, right))
      found.message += ", which 'order = any' allows where that of the elements does not matter";
  } else if (law.kind == Law::Kind::kAssociative) {
    say("{fold}({fold}({x}, {y}), {z}) is {left} but {fold}({x}, {fold}({y}, {z})) is {right}; shards are "
        "folded in no particular grouping",
        trier.sample(trial, broken, 2));
  } else if (law.kind == Law::Kind::kAdds) {
    say("{fold}({x}, {y}) is {left}, but {x} + {y} is {right}; what is left up to 'min' and 'max' can be "
        "divided only where shards are added");
  } else {
    say("{fold}({x}, {y}) is {left}, so {y} is not neutral; a shard that was never written must not change "
        "the fold");
    found.notes.push_back({place, "the fold is here"});
  }
  return found;
}

}  // namespace

std::string fold_name(const Entity& entity, const Property& property) {
  const Method* method = fold_method(entity, property);
  return method ? method->name : "fold";
}

Diagnostic counterexample(const Entity& entity, const Law& law, const Probe::Trial& trial,
                          const Evaluator::Arguments& broken, Trier& trier) {
  return law.method ? of_method(law, trier, trial, broken) : of_fold(entity, law, trier, trial, broken);
}

}  // namespace autoshard::tool
