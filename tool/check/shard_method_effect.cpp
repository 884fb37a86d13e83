#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method runs twice, and again after a conflict.
void shard_method_effect(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.is_static) return;  // updates no object, which is another rule's
    for (const Escape& effect : method.effects) {
      findings.add(effect.span,
                   "shard method " + quoted(method.name) + " " + effect.what +
                       ", but it runs more than once for one update; do that where the method is "
                       "called");
    }
  });
}

}  // namespace autoshard::tool::rules
