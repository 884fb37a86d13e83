#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Every shard method is called by the generated code, so there must be one.
void shard_method_template(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_template) return;
    findings.add(method.span,
                 "shard method " + quoted(method.name) + " is a template; write an overload for each type");
  });
}

}  // namespace autoshard::tool::rules
