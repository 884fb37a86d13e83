#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// What is left up to a bound is divided among the shards, and counted in 64 bits. What an update takes away
/// is a negative part of the value.
void bounded_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.sharding || !property.sharding->is_bounded() || property.type.is_signed) continue;
    findings.add(
        property.span,
        "bounded member " + quoted(property.name) + " has type " + quoted(property.type.qualified) +
            "; 'min' and 'max' are for signed integers, for what an update takes away is a negative part: "
            "change the type, or leave them out");
  }
}

}  // namespace autoshard::tool::rules
