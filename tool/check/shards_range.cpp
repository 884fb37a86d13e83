#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A read folds every shard, so their number is bounded.
void shards_range(const Entity& entity, Findings& findings) {
  for_each_shards(entity, [&](const Annotation&, const Argument& shards) {
    if (!shards.number || (*shards.number >= 1 && *shards.number <= kMostShards)) return;
    findings.add(shards.value_span, "the number of shards is " + std::to_string(*shards.number) +
                                        "; it must be from 1 to " + std::to_string(kMostShards));
  });
}

}  // namespace autoshard::tool::rules
