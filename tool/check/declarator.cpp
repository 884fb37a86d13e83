#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The companion's shard methods stand where the variable would.
void declarator(const Entity& entity, Findings& findings) {
  if (entity.suspicions.declarator) {
    findings.add(*entity.suspicions.declarator,
                 entity.name.empty()
                     ? "the entity has no name of its own; write it as in 'class Question { … };'"
                     : "entity " + quoted(entity.name) +
                           " is defined together with something else; declare that apart from it");
  }
}

}  // namespace autoshard::tool::rules
