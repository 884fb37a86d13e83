#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Only shard methods may change a sharded member.
void not_private(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.access == Access::kPrivate) continue;
    findings.add(property.span,
                 "sharded member " + quoted(property.name) +
                     " is not private; move it below 'private:', so that only shard methods change it");
  }
}

}  // namespace autoshard::tool::rules
