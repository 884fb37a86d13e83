#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// What no default could guess.
void missing_argument(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    if (!shardable || is_given(*shardable, "neutral")) continue;
    findings.add(shardable->span,
                 "'[[autoshard::shardable]]' needs 'neutral = …', the value that changes nothing when it is "
                 "folded with another, such as 'neutral = 0' for a sum");
  }
}

}  // namespace autoshard::tool::rules
