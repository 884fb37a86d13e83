#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The body moves into the shard, so it must be at hand, here or where a source is rewritten.
void shard_method_body(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.has_body || method.is_constructor) return;
    if (!method.defined_elsewhere) {
      findings.add(method.span, "the definition of shard method " + quoted(method.name) +
                                    " is missing; write it into this header, or name the source that has it "
                                    "(--source, or SOURCES of autoshard_generate)");
    } else if (method.deduced_result) {
      findings.add(method.span,
                   "the return type of " + quoted(method.name) +
                       " is known with its body only, which is not in this header; write it out");
    }
  });
}

}  // namespace autoshard::tool::rules
