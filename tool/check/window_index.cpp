#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// An index of a sharded member follows updates; the value of a window changes without one.
void window_index(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_indexed() || !window_of(property)) continue;
    findings.add(property.annotation("index")->span,
                 quoted(property.name) +
                     " has a window, so its value changes as time passes, and no index follows that; "
                     "remove the index, or 'last' and 'bucket'");
  }
}

}  // namespace autoshard::tool::rules
