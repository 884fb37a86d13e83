#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The body moves into the companion as text, so there must be text.
void shard_method_macro(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.from_macro) return;
    findings.add(method.span,
                 "shard method " + quoted(method.name) +
                     " comes out of a macro; write the method out (its attribute may come out of one)");
  });
}

}  // namespace autoshard::tool::rules
