#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Only a sequence can do without its order, and `any` is the one that there is.
void order(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    const Argument* order = shardable ? shardable->argument("order") : nullptr;
    if (!order) continue;
    if (order->value != "any") {
      Diagnostic& found =
          findings.add(order->value_span, "there is no order " + quoted(order->value) +
                                              "; write 'order = any' where the order of the elements does "
                                              "not matter, or leave it out");
      if (!shardable->from_macro) found.fixes.push_back({order->value_span, "any"});
    } else if (!is_sequence(property.type)) {
      findings.add(order->span, quoted(property.name) + " has type " + quoted(property.type.qualified) +
                                    "; 'order = any' is for a vector, a deque or a list, so leave it out");
    }
  }
}

}  // namespace autoshard::tool::rules
