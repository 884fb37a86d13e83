#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// An entity is found by its id.
void no_id(const Entity& entity, Findings& findings) {
  auto is_id = [](const Property* property) { return property->is_id(); };
  if (std::ranges::any_of(entity.all_properties(), is_id)) return;
  findings.add(entity.span,
               "entity " + quoted(entity.name) + " has no id; mark one of its members [[autoshard::id]]");
}

}  // namespace autoshard::tool::rules
