#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// One member is the key, until there are composite keys.
void several_ids(const Entity& entity, Findings& findings) {
  const Property* first = nullptr;
  for (const Property& property : entity.properties) {
    if (!property.is_id()) continue;
    if (!first) {
      first = &property;
      continue;
    }
    Diagnostic& found = findings.add(property.span, "second id in entity " + quoted(entity.name) +
                                                        "; an entity has exactly one id for now");
    found.notes.push_back({first->span, "the first is here"});
  }
}

}  // namespace autoshard::tool::rules
