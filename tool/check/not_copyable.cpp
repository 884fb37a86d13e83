#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method runs on copies, so that one that throws changes nothing.
void not_copyable(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.type.kind == TypeKind::kUnsupported || property.type.copyable)
      continue;
    findings.add(property.span, "sharded member " + quoted(property.name) + " has type " +
                                    quoted(property.type.qualified) +
                                    ", which cannot be copied, but shard methods run on copies; hold the "
                                    "values themselves instead of pointers to them");
  }
}

}  // namespace autoshard::tool::rules
