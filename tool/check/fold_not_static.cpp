#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A fold belongs to the class, not to an object.
void fold_not_static(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_fold() || method.is_static) continue;
    Diagnostic& found =
        findings.add(method.span, "shard fold " + quoted(method.name) + " is not static; make it static");
    if (!method.from_macro) {
      found.fixes.push_back(
          {{method.declaration.file, method.declaration.begin, method.declaration.begin}, "static "});
    }
  }
}

}  // namespace autoshard::tool::rules
