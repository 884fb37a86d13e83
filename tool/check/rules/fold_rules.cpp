/// Rules for folds, which combine the values of two shards.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

/// Whether shard methods only add elements to `property`, as they may to a group.
bool only_gets_elements(const Entity& entity, const Property& property) {
  return std::ranges::all_of(entity.methods, [&](const Method& method) {
    return !method.is_shard_method() || std::ranges::all_of(method.uses, [&](const MemberUse& use) {
      return use.member != property.name || is_addition(method, use, property.type);
    });
  });
}

/// What to write in place of a method that folds `property`; empty if nothing else suits.
std::string_view instead_of_method(const Entity& entity, const Property& property) {
  if (!is_group_type(property.type)) return ", or add an argument such as 'fold = std::plus<>{}'";
  return only_gets_elements(entity, property)
             ? ", or replace shardable(…) by shard_group(shards = …), which needs none"
             : ", or give a lambda as the argument 'fold'";
}

void no_fold(const Entity& entity, Findings& findings) {
  // Reports nothing if a fold has a wrong signature: the rule for signatures reports the fold.
  const auto is_wrong = [](const Method& method) { return method.is_shard_fold() && !folded_type(method); };
  if (std::ranges::any_of(entity.methods, is_wrong)) return;
  for (const Property& property : entity.properties) {
    const std::optional<Shardable>& shardable = property.marks.shardable;
    if (!shardable || shardable->fold || !folds_of(entity, property).empty()) continue;
    findings.add(property.span,
                 "sharded member '{name}' has no fold; mark a method such as 'static {type} fold({type} x, "
                 "{type} y)' [[autoshard::shard_fold]]{other}",
                 "name"_a = property.name, "type"_a = property.type_text,
                 "other"_a = instead_of_method(entity, property));
  }
}

bool names_member(const Method& fold, const Property& property) {
  return std::ranges::any_of(fold.marks.fold->members,
                             [&](const Argument& argument) { return argument.value == property.name; });
}

void ambiguous_fold(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.marks.shardable) continue;
    std::vector<const Method*> folds = folds_of(entity, property);
    const Argument* expression = shardable_argument(property, &Shardable::fold);
    if (expression) std::erase_if(folds, [&](const Method* fold) { return !names_member(*fold, property); });
    if (folds.size() + (expression ? 1 : 0) < 2) continue;
    Diagnostic& found =
        findings.add(property.span,
                     "sharded member '{name}' has more than one fold; name the member in one of "
                     "them, as in 'shard_fold({name})', or remove the others",
                     "name"_a = property.name);
    for (const Method* fold : folds)
      Findings::note(found, fold->span, "'{name}' is one", "name"_a = fold->name);
    if (expression) Findings::note(found, expression->span, "this is one");
  }
}

/// The elements of a group are not folded.
bool has_fold(const Property& property) { return property.is_sharded() && !property.is_group(); }

void check_fold_name(const Entity& entity, const ShardFold& fold, const Argument& argument,
                     Findings& findings) {
  const Property* property = entity.property(argument.value);
  if (!argument.name.empty() || (property && has_fold(*property))) return;
  std::vector<std::string_view> sharded;
  for (const Property& candidate : entity.properties) {
    if (has_fold(candidate)) sharded.push_back(candidate.name);
  }
  const std::string_view problem = !property ? "there is no member '{}'"
                                   : property->is_group()
                                       ? "'{}' is a group, which is the union of its elements"
                                       : "'{}' is not sharded";
  Diagnostic& found =
      findings.add(argument.value_span, "{}", fmt::format(fmt::runtime(problem), argument.value));
  if (!sharded.empty()) suggest(found, argument.value, argument.value_span, !fold.from_macro, sharded);
}

/// Reports a fold without names if no sharded member has its type. The fold would not be used, or was meant
/// for another type.
void check_fold_type(const Entity& entity, const Method& method, const ShardFold& fold, Findings& findings) {
  const Type* type = folded_type(method);
  if (!type) return;  // autoshard-fold-signature reports it
  const auto fits = [&](const Property& property) { return has_fold(property) && property.type == *type; };
  if (std::ranges::any_of(entity.properties, fits)) return;
  findings.add(fold.span,
               "no sharded member has type '{type}', which '{name}' folds; mark a member "
               "[[autoshard::shardable]], or fold the type of one",
               "type"_a = type->qualified, "name"_a = method.name);
}

void fold_member(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    const std::optional<ShardFold>& fold = method.marks.fold;
    if (!fold) continue;
    for (const Argument& argument : fold->members) check_fold_name(entity, *fold, argument, findings);
    if (fold->members.empty()) check_fold_type(entity, method, *fold, findings);
  }
}

void fold_not_static(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_fold() || method.is_static) continue;
    Diagnostic& found = findings.add(method.span, "shard fold '{name}' is not static; make it static",
                                     "name"_a = method.name);
    const Span& at = method.declaration;
    if (!method.from_macro) found.fixes.push_back({{at.file, at.begin, at.begin}, "static "});
  }
}

bool takes_and_returns_values(const Method& method) {
  const auto fits = [](const Parameter& parameter) { return parameter.passing != Passing::kReference; };
  return std::ranges::all_of(method.parameters, fits) && method.result == Result::kValue;
}

/// The type of the first sharded member, for an example.
std::string type_of_a_fold(const Entity& entity) {
  const auto sharded =
      std::ranges::find_if(entity.properties, [](const Property& property) { return property.is_sharded(); });
  return sharded == entity.properties.end() ? "int" : sharded->type_text;
}

/// A fold that names its members must have their type.
void check_named_members(const Entity& entity, const Method& method, Findings& findings) {
  for (const Argument& argument : method.marks.fold->members) {
    const Property* property = entity.property(argument.value);
    if (!property || *folded_type(method) == property->type) continue;
    Diagnostic& found =
        findings.add(method.span, "shard fold '{name}' folds '{folded}', but '{member}' has type '{type}'",
                     "name"_a = method.name, "folded"_a = method.result_type.qualified,
                     "member"_a = property->name, "type"_a = property->type.qualified);
    Findings::note(found, property->span, "'{name}' is here", "name"_a = property->name);
  }
}

void fold_signature(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_fold()) continue;
    if (method.is_template || !folded_type(method) || !takes_and_returns_values(method)) {
      findings.add(
          method.span,
          "shard fold '{name}' must take two values of the sharded member's type, by value, const "
          "reference or rvalue reference, and return one, as in 'static {type} fold({type}, {type})'",
          "name"_a = method.name, "type"_a = type_of_a_fold(entity));
    } else {
      check_named_members(entity, method, findings);
    }
  }
}

void fold_effect(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_fold()) continue;
    for (const Escape& effect : method.effects) {
      findings.add(
          effect.span,
          "shard fold '{name}' {does}, but it runs at any time, in any process; it must compute from "
          "its two values alone",
          "name"_a = method.name, "does"_a = effect.what);
    }
  }
  for (const Property& property : entity.properties) {
    if (!property.sharding) continue;
    for (const Escape& effect : property.sharding->effects) {
      findings.add(
          effect.span,
          "an argument of the sharded member '{name}' {does}, but it is evaluated at any time, in any "
          "process; it must depend on constants alone",
          "name"_a = property.name, "does"_a = effect.what);
    }
  }
}

void fold_throw(const Entity& entity, Findings& findings) {
  constexpr std::string_view kAdvice =
      "the entity cannot be loaded while it does; return a value for every two";
  for (const Method& method : entity.methods) {
    for (const Escape& one : method.fold_throws)
      findings.add(one.span, "shard fold '{name}' {does}, and {advice}", "name"_a = method.name,
                   "does"_a = one.what, "advice"_a = kAdvice);
  }
  for (const Property& property : entity.properties) {
    if (!property.sharding) continue;
    for (const Escape& one : property.sharding->fold_throws)
      findings.add(one.span, "the fold of '{name}' {does}, and {advice}", "name"_a = property.name,
                   "does"_a = one.what, "advice"_a = kAdvice);
  }
}

constexpr Rule kFolds[] = {
    {.tag = "autoshard-fold-not-static",
     .summary = "A fold is static.",
     .reason =
         "A fold makes one value out of two, which come from two shards. There is no object of the class "
         "at that time, so the fold cannot be called on one.",
     .find = fold_not_static},
    {.tag = "autoshard-fold-signature",
     .summary = "A fold takes two values of the type of its member and returns one.",
     .reason =
         "To read the value of a sharded member, the fold is called again and again, with the result so "
         "far and the value of the next shard. So its parameters and its result have the same type. It "
         "must not change its arguments in place: they may still be needed.",
     .find = fold_signature},
    {.tag = "autoshard-fold-member",
     .summary = "A fold belongs to a sharded member.",
     .reason = "A fold is for the members that its attribute names, or else for all sharded members of its "
               "type. A fold that belongs to no member is never called; most often a name or a type is "
               "misspelt.",
     .find = fold_member},
    {.tag = "autoshard-no-fold",
     .summary = "Every sharded member has a fold.",
     .reason = "The value of a sharded member is in several records. Only a fold can make one value out of "
               "them: a sum, a maximum, a union. For most members an expression suffices, such as 'fold = "
               "std::plus<>{}' on the attribute.",
     .find = no_fold},
    {.tag = "autoshard-ambiguous-fold",
     .summary = "Every sharded member has only one fold.",
     .reason =
         "A fold without names is for every sharded member of its type. If a sum and a maximum have the "
         "same type, the generator cannot know which of them belongs to which member. Name the member, "
         "as in 'shard_fold(best_)'.",
     .find = ambiguous_fold},
    {.tag = "autoshard-fold-effect",
     .summary = "A fold and a neutral value depend on nothing but constants and the values that are folded.",
     .reason =
         "Folds run whenever an entity is read, in every process, and their results are stored. If a fold "
         "or a neutral value looks at the clock, draws a random number, or reads a variable that can change, "
         "a member has another value each time. If it changes something, that happens any number of times.",
     .find = fold_effect},
    {.tag = "autoshard-fold-throw",
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "A fold does not throw.",
     .reason =
         "Two shards may hold any values that updates have left there. If the fold throws for some of them, "
         "the entity can no longer be loaded, and the mapper cannot repair it. A limit belongs "
         "to the updates: 'min' and 'max' of the annotation keep it.",
     .find = fold_throw},
};

}  // namespace

const RuleGroup kFoldRules{"Folds", kFolds};

}  // namespace autoshard::tool
