#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A load makes an entity before it knows any value, and no record holds those of transient members and
/// bases.
void no_default(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_transient() || property.has_initialiser || property.default_constructible) continue;
    findings.add(property.span,
                 "transient member " + quoted(property.name) + " has type " +
                     quoted(property.type.qualified) +
                     ", which cannot be constructed without arguments when a record is loaded; "
                     "give it an initialiser");
  }
  for (const Name& base : entity.suspicions.bases_without_default) {
    findings.add(base.span, "base class " + quoted(base.name) +
                                " cannot be constructed without arguments when a record is loaded; give it a "
                                "default constructor");
  }
}

}  // namespace autoshard::tool::rules
