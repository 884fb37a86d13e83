#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Without a fold the shards of a member could never be read as one value.
void no_fold(const Entity& entity, Findings& findings) {
  // A fold that is wrong in itself is reported where it stands.
  auto is_wrong = [](const Method& method) { return method.is_shard_fold() && !folded_type(method); };
  if (std::ranges::any_of(entity.methods, is_wrong)) return;
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    if (!shardable || shardable->argument("fold") || !folds_of(entity, property).empty()) continue;
    const std::string& type = property.type_text;
    findings.add(property.span,
                 "sharded member " + quoted(property.name) + " has no fold; mark a method such as 'static " +
                     type + " fold(" + type + " x, " + type +
                     " y)' [[autoshard::shard_fold]], or add an argument such as 'fold = std::plus<>{}'");
  }
}

}  // namespace autoshard::tool::rules
