#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// No update knows the folded value, so nothing can refuse it.
void index_unique(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || !property.is_unique() || window_of(property)) continue;
    findings.add(property.annotation("index")->span,
                 quoted(property.name) +
                     " is sharded, and no update knows its whole value, so nothing can keep "
                     "it from being another entity's, too; remove 'unique'");
  }
}

}  // namespace autoshard::tool::rules
