#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/staleness.h"

namespace autoshard::tool::rules {

/// How late the index of a sharded member may be is a constant; any other one is never late.
void index_staleness(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* index = property.annotation("index");
    const Argument* staleness = index ? index->argument("staleness") : nullptr;
    if (!staleness) continue;
    if (!property.is_sharded()) {
      findings.add(staleness->span, "the index of " + quoted(property.name) +
                                        ", which is not sharded, is never stale; remove 'staleness'");
    } else if (!staleness->number || *staleness->number < 1 || *staleness->number > kMostStaleness) {
      findings.add(staleness->value_span,
                   "the staleness of an index is a constant number of seconds, from 1 to " +
                       std::to_string(kMostStaleness));
    }
  }
}

}  // namespace autoshard::tool::rules
