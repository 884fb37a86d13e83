#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// The elements of a group are not folded.
bool has_fold(const Property& property) { return property.is_sharded() && !property.is_group(); }

void check_name(const Entity& entity, const Annotation& fold, const Argument& argument, Findings& findings) {
  const Property* property = entity.property(argument.value);
  if (!argument.name.empty() || (property && has_fold(*property))) return;
  std::vector<std::string_view> sharded;
  for (const Property& candidate : entity.properties) {
    if (has_fold(candidate)) sharded.push_back(candidate.name);
  }
  Diagnostic& found = findings.add(
      argument.value_span, !property ? "there is no member " + quoted(argument.value)
                           : property->is_group()
                               ? quoted(argument.value) + " is a group, which is the union of its elements"
                               : quoted(argument.value) + " is not sharded");
  if (!sharded.empty()) suggest(found, argument.value, argument.value_span, !fold.from_macro, sharded);
}

/// A fold without names that fits nothing is forgotten, or folds the wrong type.
void check_match(const Entity& entity, const Method& method, const Annotation& fold, Findings& findings) {
  const Type* type = folded_type(method);
  if (!type) return;  // autoshard-fold-signature
  auto fits = [&](const Property& property) { return has_fold(property) && property.type == *type; };
  if (std::ranges::any_of(entity.properties, fits)) return;
  findings.add(fold.span, "no sharded member has type " + quoted(type->qualified) + ", which " +
                              quoted(method.name) +
                              " folds; mark a member [[autoshard::shardable]], or fold the type of one");
}

}  // namespace

/// A fold folds a sharded member.
void fold_member(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    const Annotation* fold = method.annotation("shard_fold");
    if (!fold) continue;
    for (const Argument& argument : fold->arguments) check_name(entity, *fold, argument, findings);
    if (fold->arguments.empty()) check_match(entity, method, *fold, findings);
  }
}

}  // namespace autoshard::tool::rules
