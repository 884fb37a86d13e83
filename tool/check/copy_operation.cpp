#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// One that the user wrote does not know the updates that are not saved yet.
void copy_operation(const Entity& entity, Findings& findings) {
  for (const Name& operation : entity.suspicions.copy_operations) {
    findings.add(
        operation.span,
        "entity " + quoted(entity.name) +
            " copies or moves itself member by member, which leaves behind the version and the updates that "
            "are not saved yet; default it with '= default', or delete it");
  }
}

}  // namespace autoshard::tool::rules
