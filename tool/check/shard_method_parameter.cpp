#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method runs twice with the same arguments.
void shard_method_parameter(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Parameter& parameter : method.parameters) {
      if (parameter.shares_an_object) {
        findings.add(method.span,
                     "parameter " + quoted(parameter.name) + " of shard method " + quoted(method.name) +
                         " points to what the method can change, but it runs twice; pass a value, or a "
                         "pointer to const");
        continue;
      }
      if (parameter.copyable || parameter.passing == Passing::kConstReference) continue;
      findings.add(method.span,
                   "parameter " + quoted(parameter.name) + " of shard method " + quoted(method.name) +
                       " cannot be copied, but the method runs twice with it; pass a value that can be "
                       "copied, or a const reference");
    }
  });
}

}  // namespace autoshard::tool::rules
