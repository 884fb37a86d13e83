#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The body moves into the companion, so it must be at hand.
void shard_method_body(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.has_body || method.is_constructor) return;
    findings.add(method.span,
                 "shard method " + quoted(method.name) + " is not defined in the class; move its body here");
  });
}

}  // namespace autoshard::tool::rules
