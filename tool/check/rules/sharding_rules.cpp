/// Rules for sharded members: the number of shards, bounds, groups, and conditions for sharding.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

/// The greatest number of records for one property.
constexpr std::int64_t kMostShards = 4096;

void not_private(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.access == Access::kPrivate) continue;
    findings.add(property.span,
                 "sharded member '{name}' is not private; move it below 'private:', so that only shard "
                 "methods change it",
                 "name"_a = property.name);
  }
}

void not_copyable(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.type.kind == TypeKind::kUnsupported || property.type.copyable)
      continue;
    findings.add(
        property.span,
        "sharded member '{name}' has type '{type}', which cannot be copied, but shard methods run on "
        "copies; hold the values themselves instead of pointers to them",
        "name"_a = property.name, "type"_a = property.type.qualified);
  }
}

/// Whether values are computed as `int`, and a few thousand updates may leave the range of the type.
bool is_narrow(const Type& type) {
  return type.kind == TypeKind::kInteger && type.promotes_to_int && type.bits <= 16;
}

/// The first shard method that adds to `property` or multiplies it; null if there is none. Other updates,
/// such as a maximum or a bitwise one, stay within the range of their operands.
const Method* method_that_counts(const Entity& entity, const Property& property) {
  const auto counts = [&](const Method& method) {
    return method.is_shard_method() && std::ranges::any_of(method.updates, [&](const Update& update) {
             return update.member == property.name &&
                    (update.operation == Operation::kAdd || update.operation == Operation::kMultiply);
           });
  };
  const auto found = std::ranges::find_if(entity.methods, counts);
  return found == entity.methods.end() ? nullptr : &*found;
}

void narrow_shardable(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const bool is_bounded = shardable_argument(property, &Shardable::minimum) ||
                            shardable_argument(property, &Shardable::maximum);
    if (!is_narrow(property.type) || is_bounded || !property.annotation("shardable")) continue;
    const Method* method = method_that_counts(entity, property);
    if (!method) continue;
    Diagnostic& found =
        findings.add(property.span,
                     "sharded member '{name}' has type '{type}', which cannot hold more than "
                     "{most}, and many updates add to it; use an integer of 32 or 64 bits, or give "
                     "'min' and 'max'",
                     "name"_a = property.name, "type"_a = property.type_text,
                     "most"_a = (1U << (property.type.bits - property.type.is_signed)) - 1);
    Findings::note(found, method->span, "'{name}' adds to it", "name"_a = method->name);
  }
}

void check_constant(const Argument& shards, const Annotation& annotation, bool fixable, Findings& findings) {
  if (shards.number) return;
  Diagnostic& found =
      findings.add(shards.value_span, "the number of shards is not a constant that is known here");
  const bool has_words = annotation.name == "shardable";
  const std::string word = shards.value.substr(0, shards.value.find('('));
  if (has_words && shards.value == "dynamic") {
    found.message += "; for dynamic sharding, leave 'shards' out";
  } else if (has_words && !nearest(word, {"adaptive"}).empty()) {
    found.message += "; did you mean 'adaptive'?";
    const std::uint32_t begin = shards.value_span.begin;
    const std::uint32_t end = begin + static_cast<std::uint32_t>(word.size());
    if (fixable) found.fixes.push_back({{shards.value_span.file, begin, end}, "adaptive"});
  } else if (shards.text) {
    found.message = "the number of shards is a string; write a number, as in 'shards = 4'";
  } else if (!shards.problem.empty()) {
    found.message += fmt::format(": {}", shards.problem);
  } else {
    found.message += "; write a constant expression of integers";
  }
}

void shards_not_constant(const Entity& entity, Findings& findings) {
  for_each_shards(entity, [&](const Annotation& annotation, const Argument& shards) {
    const bool adapts = annotation.name == "shardable" && is_adaptive(shards);
    if (!adapts) return check_constant(shards, annotation, !annotation.from_macro, findings);
    for (const Argument& limit : shards.arguments) check_constant(limit, annotation, false, findings);
  });
}

void shards_range(const Entity& entity, Findings& findings) {
  for_each_shards(entity, [&](const Annotation&, const Argument& shards) {
    if (!shards.number || (*shards.number >= 1 && *shards.number <= kMostShards)) return;
    findings.add(shards.value_span, "the number of shards is {number}; it must be from 1 to {most}",
                 "number"_a = *shards.number, "most"_a = kMostShards);
  });
}

void check_adaptive(const Argument& shards, Findings& findings) {
  const std::vector<Argument>& limits = shards.arguments;
  if (limits.size() != 2) {
    if (!limits.empty() || shards.value.ends_with(')'))
      findings.add(
          shards.value_span,
          "'adaptive' takes the least and the greatest number of shards, as in 'adaptive(1, 64)'; write "
          "both, or 'adaptive' alone");
    return;
  }
  const std::optional<std::int64_t>& least = limits[0].number;
  const std::optional<std::int64_t>& most = limits[1].number;
  if (!least || !most || (*least >= 1 && *least < *most && *most <= kMostShards)) return;
  findings.add(
      shards.value_span,
      "the number of shards is to be from {least} to {most}; the first must be at least 1 and less than "
      "the second, and the second at most {limit}",
      "least"_a = *least, "most"_a = *most, "limit"_a = kMostShards);
}

void adaptive_range(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* shards = shardable_argument(property, &Shardable::shards);
    if (shards && is_adaptive(*shards)) check_adaptive(*shards, findings);
  }
}

void order(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* order = shardable_argument(property, &Shardable::order);
    if (!order) continue;
    if (order->value != "any") {
      Diagnostic& found =
          findings.add(order->value_span,
                       "there is no order '{order}'; write 'order = any' where the order of the "
                       "elements does not matter, or leave it out",
                       "order"_a = order->value);
      if (!property.marks.shardable->from_macro) found.fixes.push_back({order->value_span, "any"});
    } else if (!is_sequence(property.type)) {
      findings.add(
          order->span,
          "'{name}' has type '{type}'; 'order = any' is for a vector, a deque or a list, so leave it out",
          "name"_a = property.name, "type"_a = property.type.qualified);
    }
  }
}

void group_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_group() || property.type.kind == TypeKind::kUnsupported || is_group_type(property.type))
      continue;
    findings.add(property.span,
                 "'{name}' has type '{type}'; a group is a vector, deque, list, set, unordered_set, map or "
                 "unordered_map, so use one of these, or [[autoshard::shardable]]",
                 "name"_a = property.name, "type"_a = property.type.qualified);
  }
}

void bounded_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.sharding || !property.sharding->is_bounded() || property.type.is_signed) continue;
    findings.add(
        property.span,
        "bounded member '{name}' has type '{type}'; 'min' and 'max' are for signed integers, because "
        "an update that takes away is a negative part of the value: change the type, or leave them "
        "out",
        "name"_a = property.name, "type"_a = property.type.qualified);
  }
}

void bounded_dynamic(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.sharding || !property.sharding->is_bounded()) continue;
    const Annotation& shardable = *property.annotation("shardable");
    if (is_given(shardable, "shards")) continue;
    findings.add(shardable.span,
                 "bounded member '{name}' needs shards that hold what is left up to the bound; add 'shards = "
                 "…', such as 'shards = 10' or 'shards = adaptive'",
                 "name"_a = property.name);
  }
}

void bounds_order(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* minimum = shardable_argument(property, &Shardable::minimum);
    const Argument* maximum = shardable_argument(property, &Shardable::maximum);
    if (!minimum || !maximum || !minimum->number || !maximum->number || *minimum->number <= *maximum->number)
      continue;
    Diagnostic& found = findings.add(
        maximum->value_span,
        "'{name}' is to be at least {minimum} and at most {maximum}, which no value "
        "is; exchange 'min' and 'max'",
        "name"_a = property.name, "minimum"_a = *minimum->number, "maximum"_a = *maximum->number);
    Findings::note(found, minimum->span, "the minimum is here");
  }
}

void check_initial(const Property& property, const Argument& bound, bool is_minimum, Findings& findings) {
  for (const InitialValue& value : property.initial_values) {
    if (!bound.number || (is_minimum ? value.number >= *bound.number : value.number <= *bound.number))
      continue;
    Diagnostic& found =
        findings.add(value.span,
                     "'{name}' begins with {value}, but is to be at {end} {bound}, so it could "
                     "never be saved; begin within the bounds, or change them",
                     "name"_a = property.name, "value"_a = value.number,
                     "end"_a = is_minimum ? "least" : "most", "bound"_a = *bound.number);
    Findings::note(found, bound.span, "the {bound} is here", "bound"_a = is_minimum ? "minimum" : "maximum");
  }
}

void bounds_initial(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* minimum = shardable_argument(property, &Shardable::minimum);
    const Argument* maximum = shardable_argument(property, &Shardable::maximum);
    // bounds_order() reports exchanged bounds, which would reject each value.
    if (minimum && maximum && minimum->number > maximum->number) continue;
    if (minimum) check_initial(property, *minimum, true, findings);
    if (maximum) check_initial(property, *maximum, false, findings);
  }
}

constexpr Rule kSharding[] = {
    {.tag = "autoshard-not-private",
     .summary = "A sharded member is private.",
     .reason =
         "A sharded member may be changed by shard methods only: their effect is written to a shard, and "
         "any other change would be lost at the next save. The compiler can keep other code away from "
         "the member only if it is private.",
     .find = not_private},
    {.tag = "autoshard-not-copyable",
     .summary = "A sharded member can be copied.",
     .reason =
         "A shard method runs on a copy of the value, which replaces the value when the method returns. So "
         "a method that throws changes nothing. A std::unique_ptr inside of the value forbids the copy.",
     .find = not_copyable},
    {.tag = "autoshard-narrow-shardable",
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "A sharded counter has more than 16 bits.",
     .reason =
         "A member is sharded because many updates add to it, so its value grows fast: one that counts in "
         "16 bits overflows after 65535 updates, which is a second or less on a hot spot. Records are "
         "not smaller for a narrow type, because they hold numbers in as few bytes as their values need. "
         "Members with 'min' or 'max', and members that are only combined bit by bit or compared, are "
         "not reported.",
     .find = narrow_shardable},
    {.tag = "autoshard-shards-not-constant",
     .summary = "The number of shards is known when the generator runs.",
     .reason =
         "The number becomes part of the generated code, and every process that uses the class must have "
         "the same one. It can be a literal, a constexpr constant or an enumerator, but not the result of "
         "a function that runs later. Use 'shards = adaptive' where the load should decide.",
     .find = shards_not_constant},
    {.tag = "autoshard-shards-range",
     .summary = "The number of shards is from 1 to 4096.",
     .reason =
         "More shards let more updates run at the same time, but a load reads and folds all of them. Some "
         "ten to a hundred suffice for nearly every hot spot; updates that wait together are combined in "
         "any case.",
     .find = shards_range},
    {.tag = "autoshard-adaptive-range",
     .summary = "The limits of 'adaptive' are two numbers, the first less than the second, from 1 to 4096.",
     .reason =
         "'adaptive(least, most)' lets the number of shards follow the load between these limits. If both "
         "are the same, or exchanged, there is nothing to adapt. 'adaptive' alone means from 1 to 64.",
     .find = adaptive_range},
    {.tag = "autoshard-order",
     .summary = "The argument 'order' is 'any', on a vector, a deque or a list.",
     .reason =
         "Shards are folded in no particular order, so the order of elements in a sequence changes from "
         "one load to the next. 'order = any' says that your program does not depend on it. Other types "
         "have no such order, and there is no other way to order shards.",
     .find = order},
    {.tag = "autoshard-group-type",
     .summary = "A shard group is a collection.",
     .reason =
         "In a shard group, each element is a record of its own, so that additions never conflict. Only a "
         "collection has elements. A single value, such as a number or a string, is sharded with "
         "[[autoshard::shardable]].",
     .find = group_type},
    {.tag = "autoshard-bounded-type",
     .summary = "A member with 'min' or 'max' is a signed integer.",
     .reason =
         "What is left up to a bound is divided among the shards, as whole numbers of 64 bits. An update "
         "that takes something away is kept as a negative part of the value, so the type must hold "
         "negative numbers. Floating-point sums depend on their order, and could pass a bound by "
         "rounding.",
     .find = bounded_type},
    {.tag = "autoshard-bounded-dynamic",
     .summary = "A member with 'min' or 'max' has a number of shards.",
     .reason =
         "To keep a bound without asking all shards at each update, every shard owns a part of what is "
         "left up to the bound. Without 'shards', each update is a record of its own, and such a record "
         "owns nothing.",
     .find = bounded_dynamic},
    {.tag = "autoshard-bounds-order",
     .summary = "'min' is not greater than 'max'.",
     .reason =
         "No value lies between exchanged bounds, so no entity could be saved, and every update would be "
         "refused.",
     .find = bounds_order},
    {.tag = "autoshard-bounds-initial",
     .summary = "A member with 'min' or 'max' begins within its bounds.",
     .reason =
         "The first save of an entity stores the value that the class or a constructor gives the member. "
         "If that value is outside of the bounds, the save is refused, for every new entity.",
     .find = bounds_initial},
};

}  // namespace

const RuleGroup kShardingRules{"Sharded members", kSharding};

}  // namespace autoshard::tool
