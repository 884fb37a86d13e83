#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Every property has a form in the record.
void property_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (property.type.kind != TypeKind::kUnsupported || property.is_id()) continue;
    // A reference can never be bound by a load; whatever else is transient starts out as its default.
    if (property.is_transient() && !property.is_reference) continue;
    const std::string name = property.name.empty() ? "this member" : "member " + quoted(property.name);
    findings.add(property.span, name + " has type " + quoted(property.type.qualified) +
                                    ", which cannot be stored: " + property.type.unsupported_reason);
  }
}

}  // namespace autoshard::tool::rules
