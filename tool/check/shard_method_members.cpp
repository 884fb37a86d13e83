#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard holds the sharded members alone.
void shard_method_members(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const MemberUse& use : method.uses) {
      const Property* property = entity.property(use.member);
      if (!property || property->is_sharded()) continue;
      Diagnostic& found = findings.add(
          use.span,
          "shard method " + quoted(method.name) + (use.write ? " changes " : " uses ") + quoted(use.member) +
              ", which is not sharded; a shard holds nothing but the sharded members, so " +
              (use.write ? "change it in a method that calls this one" : "pass the value as a parameter"));
      found.notes.push_back({property->span, quoted(property->name) + " is here"});
    }
  });
}

}  // namespace autoshard::tool::rules
