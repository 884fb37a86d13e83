#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The companion is rewritten text, so there must be text of the class itself.
void entity_macro(const Entity& entity, Findings& findings) {
  if (!entity.from_macro) return;
  findings.add(entity.span,
               quoted(entity.name) +
                   " comes out of a macro; write the class itself out (attributes and members may still "
                   "come out of macros)");
}

}  // namespace autoshard::tool::rules
