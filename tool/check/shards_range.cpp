#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A read folds every shard, so their number is bounded.
void shards_range(const Entity& entity, Findings& findings) {
  constexpr std::int64_t kMost = 4096;
  for (const Property& property : entity.properties) {
    const Argument* shards = shards_of(property);
    if (!shards || !shards->number || (*shards->number >= 1 && *shards->number <= kMost)) continue;
    findings.add(shards->value_span, "the number of shards is " + std::to_string(*shards->number) +
                                         "; it must be from 1 to " + std::to_string(kMost));
  }
}

}  // namespace autoshard::tool::rules
