#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// The records of a window are shards, one set for each bucket; a record for each update has no bucket.
void window_dynamic(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* window = window_of(property);
    if (!window || is_given(*window, "shards")) continue;
    findings.add(window->span, quoted(property.name) +
                                   " has a window, which needs a number of shards; add 'shards = …', such as "
                                   "'shards = 10' or 'shards = adaptive'");
  }
}

}  // namespace autoshard::tool::rules
