#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void check(const Argument& shards, Findings& findings) {
  const std::vector<Argument>& limits = shards.arguments;
  if (limits.size() != 2) {
    if (!limits.empty() || shards.value.ends_with(')'))
      findings.add(
          shards.value_span,
          "'adaptive' takes the least and the greatest number of shards, as in 'adaptive(1, 64)'; write "
          "both, or 'adaptive' alone");
    return;
  }
  const std::optional<std::int64_t>& least = limits[0].number;
  const std::optional<std::int64_t>& most = limits[1].number;
  if (!least || !most || (*least >= 1 && *least < *most && *most <= kMostShards)) return;
  findings.add(shards.value_span,
               "the number of shards is to be from " + std::to_string(*least) + " to " +
                   std::to_string(*most) +
                   "; the first must be at least 1 and less than the second, and that at most " +
                   std::to_string(kMostShards));
}

}  // namespace

/// What adapts, has room to.
void adaptive_range(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* shards = shards_of(property);
    if (shards && is_adaptive(*shards)) check(*shards, findings);
  }
}

}  // namespace autoshard::tool::rules
