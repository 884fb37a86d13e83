#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void check(const Property& property, const Argument& bound, bool is_minimum, Findings& findings) {
  for (const InitialValue& value : property.initial_values) {
    if (!bound.number || (is_minimum ? value.number >= *bound.number : value.number <= *bound.number))
      continue;
    Diagnostic& found =
        findings.add(value.span, quoted(property.name) + " begins with " + std::to_string(value.number) +
                                     ", but is to be at " + (is_minimum ? "least " : "most ") +
                                     std::to_string(*bound.number) +
                                     ", so it could never be saved; begin within the bounds, or change them");
    found.notes.push_back({bound.span, is_minimum ? "the minimum is here" : "the maximum is here"});
  }
}

}  // namespace

/// What is saved first lies within the bounds, too.
void bounds_initial(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    const Argument* minimum = shardable ? shardable->argument("min") : nullptr;
    const Argument* maximum = shardable ? shardable->argument("max") : nullptr;
    // No value is within bounds that are exchanged, which is another rule's.
    if (minimum && maximum && minimum->number > maximum->number) continue;
    if (minimum) check(property, *minimum, true, findings);
    if (maximum) check(property, *maximum, false, findings);
  }
}

}  // namespace autoshard::tool::rules
