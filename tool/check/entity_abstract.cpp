#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A record is loaded as an object of its class.
void entity_abstract(const Entity& entity, Findings& findings) {
  if (!entity.suspicions.is_abstract) return;
  findings.add(entity.span,
               "entity " + quoted(entity.name) +
                   " is abstract, so no object can be loaded; implement its pure virtual methods");
}

}  // namespace autoshard::tool::rules
