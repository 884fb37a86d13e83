#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A load assigns to the members.
void const_property(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_const || property.is_transient()) continue;
    findings.add(property.span,
                 "member " + quoted(property.name) +
                     " is const, so it cannot be loaded; drop 'const', make it static, or mark it "
                     "[[autoshard::transient]]");
  }
}

}  // namespace autoshard::tool::rules
