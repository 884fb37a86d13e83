#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method that updates nothing is a mistake in its annotation.
void shard_method_no_update(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.writes.empty() || !method.has_body || method.is_const || method.is_static ||
        method.is_constructor)
      return;
    findings.add(method.span,
                 "shard method " + quoted(method.name) +
                     " changes no sharded member; remove the attribute, or mark the member that it changes "
                     "[[autoshard::shardable]]");
  });
}

}  // namespace autoshard::tool::rules
