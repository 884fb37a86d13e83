#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A kind is one class, so a class template has none.
void entity_template(const Entity& entity, Findings& findings) {
  if (entity.place != Place::kTemplate) return;
  findings.add(entity.span, quoted(entity.name) +
                                " is a template; annotate an ordinary class, which may hold or derive from "
                                "instances of templates without data members");
}

}  // namespace autoshard::tool::rules
