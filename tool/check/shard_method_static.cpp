#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method changes the object it is called on.
void shard_method_static(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_static) return;
    findings.add(method.span, "shard method " + quoted(method.name) +
                                  " is static; a shard method updates the sharded "
                                  "members of one object, so drop 'static' or the attribute");
  });
}

}  // namespace autoshard::tool::rules
