#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// What a base class holds would not be in the record.
void base_members(const Entity& entity, Findings& findings) {
  for (const Name& base : entity.suspicions.bases_with_members) {
    findings.add(base.span,
                 "base class " + quoted(base.name) +
                     " has data members, which are stored only if it is marked [[autoshard::mapped]] "
                     "and inherited publicly; mark it, make it a member of " +
                     quoted(entity.name) + ", or move its members here");
  }
}

}  // namespace autoshard::tool::rules
