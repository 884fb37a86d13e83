#include "tool/laws/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tool/check/folding.h"
#include "tool/laws/blame.h"

namespace autoshard::tool {
namespace {

using fmt::literals::operator""_a;

/// Whether the texts have the same characters. Two sequences with the same elements look like this.
bool same_characters(const std::string& one, const std::string& other) {
  return std::ranges::is_permutation(one, other);
}

/// The members in a text like `{a = 1, b = 2}`, as `a = 1` and `b = 2`; none for any other text.
std::vector<std::string> members_of(std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}')) return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string> members(1);
  std::size_t depth = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!is_quoted && depth == 0 && text.substr(at).starts_with(", ")) {
      members.emplace_back();
      ++at;
      continue;
    }
    members.back() += c;
    if (is_quoted && c == '\\' && at + 1 < text.size()) {
      members.back() += text[++at];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted) {
      depth += c == '{' ? 1U : 0U;
      depth -= c == '}' ? 1U : 0U;
    }
  }
  return members;
}

/// Removes the members that have the same value in the last two of `shards`.
void leave_out_equal_members(std::initializer_list<std::string*> shards) {
  std::vector<std::vector<std::string>> members;
  for (const std::string* shard : shards) members.push_back(members_of(*shard));
  const std::vector<std::string> left = members.end()[-2], right = members.back();
  for (const std::vector<std::string>& of : members) {
    if (of.size() != left.size()) return;
  }
  if (left.empty() || left == right) return;
  auto at = members.begin();
  for (std::string* shard : shards) {
    std::string text;
    for (std::size_t member = 0; member < left.size(); ++member) {
      if (left[member] != right[member]) text += (text.empty() ? "" : ", ") + (*at)[member];
    }
    *shard = '{' + text + '}';
    ++at;
  }
}

/// Adds notes at the places where the method reads members: a shard has only a part of their values.
void note_reads(const Entity& entity, const Method& method, Diagnostic& found) {
  for (const MemberUse& use : method.uses) {
    const Property* property = use.write ? nullptr : entity.property(use.member);
    const bool is_of_update = std::ranges::any_of(method.updates, [&](const Update& update) {
      return std::ranges::find(update.uses, use.span) != update.uses.end();
    });
    if (!property || !property->is_sharded() || is_of_update) continue;
    std::string note = fmt::format(
        "this reads '{}', of which the shard that an update runs on has only a part; ", use.member);
    if (property->sharding->is_bounded()) {
      note += "leave it out: the bounds refuse what the whole value does not allow";
    } else if (property->type.kind == TypeKind::kInteger) {
      note += "to keep the whole value within bounds, write 'min' or 'max' into shardable(…)";
    } else {
      note += "an update cannot depend on the whole value";
    }
    found.notes.push_back({use.span, note});
  }
}

Diagnostic of_method(const Entity& entity, const Law& law, Trier& trier, const Probe::Trial& trial,
                     const Evaluator::Arguments& broken) {
  Diagnostic found;
  found.rule = rule_of(law.kind);
  found.span = law.method->span;
  std::string x = trier.sample(trial, broken, 0);
  std::string y = trier.sample(trial, broken, 1);
  const std::string call = fmt::format("{}({})", law.method->name, trier.sample(trial, broken, 2));
  std::string left = trier.left(trial, broken);
  std::string right = trier.right(trial, broken);
  if (law.method->touches.size() > 1) leave_out_equal_members({&x, &y, &left, &right});
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
  note_reads(entity, *law.method, found);
  return found;
}

/// `; write 'neutral = 1'`, if the operation of the fold is known and has another neutral value.
std::string proposed_neutral(const Property& property) {
  const Sharding& sharding = *property.sharding;
  if (!sharding.operation) return {};
  const auto folding = folding_of(property.type, property.type_text, *sharding.operation, false);
  const Folding* const found = std::get_if<Folding>(&folding);
  return found && found->neutral != sharding.neutral ? fmt::format("; write 'neutral = {}'", found->neutral)
                                                     : std::string();
}

Diagnostic of_fold(const Entity& entity, const Law& law, Trier& trier, const Probe::Trial& trial,
                   const Evaluator::Arguments& broken) {
  Diagnostic found;
  found.rule = rule_of(law.kind);
  found.span = place_of(entity, law);
  const std::string fold = written_fold(entity, *law.property);
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
    if ((left == x && right == y) || (left == y && right == x))
      found.message += "; where it chooses one of two, let the values decide, not their places";
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
    found.message += proposed_neutral(*law.property);
    found.notes.push_back({place_of_fold(entity, *law.property), "the fold is here"});
  }
  return found;
}

}  // namespace

Diagnostic counterexample(const Entity& entity, const Law& law, const Probe::Trial& trial,
                          const Evaluator::Arguments& broken, Trier& trier) {
  return law.method ? of_method(entity, law, trier, trial, broken)
                    : of_fold(entity, law, trier, trial, broken);
}

}  // namespace autoshard::tool
