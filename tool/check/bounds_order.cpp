#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Between its bounds there is a value.
void bounds_order(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    const Argument* minimum = shardable ? shardable->argument("min") : nullptr;
    const Argument* maximum = shardable ? shardable->argument("max") : nullptr;
    if (!minimum || !maximum || !minimum->number || !maximum->number || *minimum->number <= *maximum->number)
      continue;
    Diagnostic& found = findings.add(
        maximum->value_span,
        quoted(property.name) + " is to be at least " + std::to_string(*minimum->number) + " and at most " +
            std::to_string(*maximum->number) + ", which no value is; exchange 'min' and 'max'");
    found.notes.push_back({minimum->span, "the minimum is here"});
  }
}

}  // namespace autoshard::tool::rules
