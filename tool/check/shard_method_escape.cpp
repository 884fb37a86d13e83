#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method runs twice, once on an object that is no entity.
void shard_method_escape(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Escape& escape : method.escapes) {
      findings.add(escape.span,
                   "shard method " + quoted(method.name) + " " + escape.what +
                       "; it runs on a shard too, which has nothing but sharded members and shard methods");
    }
  });
}

}  // namespace autoshard::tool::rules
