#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A constructor runs once, for an object that no shard knows of yet.
void shard_method_constructor(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_constructor) return;
    findings.add(method.span,
                 "a constructor, destructor or assignment cannot be a shard method; remove the attribute");
  });
}

}  // namespace autoshard::tool::rules
