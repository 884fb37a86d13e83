#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A structured binding has a name for every member.
void decomposition(const Entity& entity, Findings& findings) {
  for (const Span& span : entity.suspicions.decompositions) {
    findings.add(span,
                 "this structured binding takes a " + quoted(entity.name) +
                     " apart, whose companion class has one more member; name the members that are wanted");
  }
}

}  // namespace autoshard::tool::rules
