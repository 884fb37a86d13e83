#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// An id becomes a part of an ordered key.
void id_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_id()) continue;
    switch (property.type.kind) {
      case TypeKind::kBool:
      case TypeKind::kInteger:
      case TypeKind::kEnum:
      case TypeKind::kString:
        continue;
      default:
        findings.add(property.span, "id " + quoted(property.name) + " has type " +
                                        quoted(property.type.qualified) +
                                        "; an id is an integer, a bool, an enum or a std::string");
    }
  }
}

}  // namespace autoshard::tool::rules
