#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// Whether the argument is there, be it with a typing error, which autoshard-unknown-argument tells.
bool is_given(const Annotation& annotation, std::string_view name) {
  return std::ranges::any_of(annotation.arguments, [&](const Argument& argument) {
    return argument.name == name || (!argument.name.empty() && nearest(argument.name, {name}) == name);
  });
}

}  // namespace

/// What no default could guess.
void missing_argument(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    if (!shardable) continue;
    if (!is_given(*shardable, "neutral")) {
      findings.add(
          shardable->span,
          "'[[autoshard::shardable]]' needs 'neutral = …', the value that changes nothing when it is "
          "folded with another, such as 'neutral = 0' for a sum");
    }
    if (!is_given(*shardable, "shards")) {
      findings.add(
          shardable->span,
          "'[[autoshard::shardable]]' needs 'shards = …', the number of records that its updates are "
          "spread over, such as 'shards = 10'");
    }
  }
}

}  // namespace autoshard::tool::rules
