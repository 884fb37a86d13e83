#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A record of its own for each update would have no part of what is left up to the bound.
void bounded_dynamic(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.sharding || !property.sharding->is_bounded()) continue;
    const Annotation& shardable = *property.annotation("shardable");
    if (is_given(shardable, "shards")) continue;
    findings.add(shardable.span,
                 "bounded member " + quoted(property.name) +
                     " needs shards that hold what is left up to the bound; add 'shards = …', such "
                     "as 'shards = 10' or 'shards = adaptive'");
  }
}

}  // namespace autoshard::tool::rules
