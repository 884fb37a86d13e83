#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard method runs twice with the same arguments.
void shard_method_parameter(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Parameter& parameter : method.parameters) {
      if (parameter.is_function) {
        findings.add(method.span, "parameter " + quoted(parameter.name) + " of shard method " +
                                      quoted(method.name) +
                                      " is a function, of which nobody knows what it does when it is called "
                                      "twice; call it before, and pass its result");
        continue;
      }
      if (parameter.is_volatile) {
        findings.add(method.span, "parameter " + quoted(parameter.name) + " of shard method " +
                                      quoted(method.name) +
                                      " is volatile, which the copies are not that the method runs twice "
                                      "with; drop 'volatile'");
        continue;
      }
      const bool can_be_passed = parameter.copyable || parameter.passing == Passing::kConstReference;
      if (can_be_passed && parameter.shares_an_object) {
        findings.add(method.span,
                     "parameter " + quoted(parameter.name) + " of shard method " + quoted(method.name) +
                         " points to what the method can change, but it runs twice; pass a value, or a "
                         "pointer to const");
        continue;
      }
      if (can_be_passed) continue;
      findings.add(method.span,
                   "parameter " + quoted(parameter.name) + " of shard method " + quoted(method.name) +
                       " cannot be copied, but the method runs twice with it; pass a value that can be "
                       "copied, or a const reference");
    }
  });
}

}  // namespace autoshard::tool::rules
