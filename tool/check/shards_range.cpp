#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A read folds every shard, so their number is bounded.
void shards_range(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* shards = shards_of(property);
    if (!shards || is_adaptive(*shards)) continue;
    if (!shards->number || (*shards->number >= 1 && *shards->number <= kMostShards)) continue;
    findings.add(shards->value_span, "the number of shards is " + std::to_string(*shards->number) +
                                         "; it must be from 1 to " + std::to_string(kMostShards));
  }
}

}  // namespace autoshard::tool::rules
