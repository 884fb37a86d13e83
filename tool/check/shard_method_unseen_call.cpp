#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// What rules::shard_method_effect would have to look into.
void shard_method_unseen_call(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.effects.empty() || !method.escapes.empty()) return;  // it is refused anyway
    for (const UnseenCall& call : method.unseen_calls) {
      Diagnostic& found = findings.warn(
          call.span,
          "shard method " + quoted(method.name) + " calls " + quoted(call.function) +
              ", which is only declared, and runs more than once for one update: nobody checks "
              "whether it has an effect; if it only computes, mark it [[gnu::pure]], or name the source that "
              "defines it (--source, or SOURCES of autoshard_generate); if not, call it before, and pass "
              "its result");
      found.notes.push_back({call.declared, quoted(call.function) + " is declared here"});
    }
  });
}

}  // namespace autoshard::tool::rules
