#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// What a shard method refers to is gone when it returns.
void shard_method_result(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.definition.empty() && method.result == Result::kValue &&
        method.result_type.qualified == entity.qualified_name) {
      findings.add(method.span, "shard method " + quoted(method.name) +
                                    " is defined outside of its class and returns another " +
                                    quoted(entity.name) + " than '*this'; move its body into the class");
    }
    if (method.result != Result::kReference) return;
    findings.add(
        method.span,
        "shard method " + quoted(method.name) +
            " returns a reference, pointer, view or iterator, which may lead into a value that is replaced; "
            "return a value, or '*this'");
  });
}

}  // namespace autoshard::tool::rules
