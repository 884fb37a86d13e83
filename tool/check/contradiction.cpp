#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A member is one of: id, sharded, not persisted.
void contradiction(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    std::vector<const Annotation*> roles;
    for (std::string_view role : {"id", "shardable", "transient"}) {
      if (const Annotation* annotation = property.annotation(role)) roles.push_back(annotation);
    }
    if (roles.size() < 2) continue;
    Diagnostic& found = findings.add(
        roles[1]->span, quoted(property.name) + " cannot be both " + quoted_attribute(roles[0]->name) +
                            " and " + quoted_attribute(roles[1]->name) + "; keep one of them");
    found.notes.push_back({roles[0]->span, "the other one is here"});
  }
}

}  // namespace autoshard::tool::rules
