#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool takes_by_value(const Method& method) {
  auto fits = [](const Parameter& parameter) { return parameter.passing != Passing::kReference; };
  return std::ranges::all_of(method.parameters, fits) && method.result == Result::kValue;
}

std::string example(const Entity& entity) {
  auto sharded =
      std::ranges::find_if(entity.properties, [](const Property& property) { return property.is_sharded(); });
  const std::string type = sharded == entity.properties.end() ? "int" : sharded->type_text;
  return type + " fold(" + type + ", " + type + ")";
}

/// A fold that names its members must have their type.
void check_named(const Entity& entity, const Method& method, Findings& findings) {
  for (const Argument& argument : method.annotation("shard_fold")->arguments) {
    const Property* property = entity.property(argument.value);
    if (!property || *folded_type(method) == property->type) continue;
    Diagnostic& found = findings.add(
        method.span, "shard fold " + quoted(method.name) + " folds " + quoted(method.result_type.qualified) +
                         ", but " + quoted(property->name) + " has type " + quoted(property->type.qualified));
    found.notes.push_back({property->span, quoted(property->name) + " is here"});
  }
}

}  // namespace

/// A fold makes one value out of two.
void fold_signature(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_fold()) continue;
    if (method.is_template || !folded_type(method) || !takes_by_value(method)) {
      findings.add(method.span,
                   "shard fold " + quoted(method.name) +
                       " must take two values of the sharded member's type, by value, const reference or "
                       "rvalue reference, and return one, as in 'static " +
                       example(entity) + "'");
    } else {
      check_named(entity, method, findings);
    }
  }
}

}  // namespace autoshard::tool::rules
