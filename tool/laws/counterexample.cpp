#include "tool/laws/counterexample.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/laws/blame.h"

namespace autoshard::tool {
namespace {

using fmt::literals::operator""_a;

/// As two sequences look that have the same elements.
bool same_characters(const std::string& one, const std::string& other) {
  return std::ranges::is_permutation(one, other);
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
      "an update must give the same total on every shard",
      "call"_a = call, "x"_a = x, "y"_a = y, "left"_a = left, "right"_a = right);
  if (law.method->only_assigns)
    found.message += ", unless it is marked [[autoshard::shard_write]] to replace the value";
  return found;
}

Diagnostic of_fold(const Entity& entity, const Law& law, Trier& trier, const Probe::Trial& trial,
                   const Evaluator::Arguments& broken) {
  Diagnostic found;
  found.rule = rule_of(law.kind);
  found.span = place_of(entity, law);
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
    found.notes.push_back({place_of_fold(entity, *law.property), "the fold is here"});
  }
  return found;
}

}  // namespace

Diagnostic counterexample(const Entity& entity, const Law& law, const Probe::Trial& trial,
                          const Evaluator::Arguments& broken, Trier& trier) {
  return law.method ? of_method(law, trier, trial, broken) : of_fold(entity, law, trier, trial, broken);
}

}  // namespace autoshard::tool
