#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A union does not say which of its members is alive.
void entity_union(const Entity& entity, Findings& findings) {
  if (!entity.suspicions.is_union) return;
  findings.add(entity.span, quoted(entity.name) + " is a union; use a class");
}

}  // namespace autoshard::tool::rules
