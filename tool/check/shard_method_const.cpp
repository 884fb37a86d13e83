#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method is an update.
void shard_method_const(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_const) return;
    findings.add(method.span, "shard method " + quoted(method.name) +
                                  " is const, so it cannot update anything; drop "
                                  "'const' or the attribute");
  });
}

}  // namespace autoshard::tool::rules
