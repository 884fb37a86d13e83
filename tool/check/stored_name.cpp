#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Names of properties lose their underscores in the record, and must differ even then.
void stored_name(const Entity& entity, Findings& findings) {
  const std::vector<const Property*> properties = entity.all_properties();
  for (std::size_t at = 0; at < properties.size(); ++at) {
    const Property& property = *properties[at];
    if (property.is_transient() || property.name.empty()) continue;
    for (std::size_t before = 0; before < at; ++before) {
      const Property& other = *properties[before];
      if (other.is_transient() || other.stored_name != property.stored_name) continue;
      Diagnostic& found = findings.add(property.span, quoted(property.name) + " and " + quoted(other.name) +
                                                          " are both called " + quoted(property.stored_name) +
                                                          " in the record; rename one of them");
      found.notes.push_back({other.span, quoted(other.name) + " is here"});
    }
  }
}

}  // namespace autoshard::tool::rules
