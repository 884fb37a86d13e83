#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// No single update knows the folded value, so none can tell whether another entity has it.
void index_unique(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || !property.is_unique()) continue;
    findings.add(property.annotation("index")->span,
                 "sharded member " + quoted(property.name) +
                     " cannot have a unique index: an update knows one shard only, not the value that all "
                     "of them come to; write 'index'");
  }
}

}  // namespace autoshard::tool::rules
