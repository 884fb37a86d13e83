#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// An entity stands at namespace scope, where its companion and its traits can stand.
void entity_place(const Entity& entity, Findings& findings) {
  switch (entity.place) {
    case Place::kNamespace:
    case Place::kTemplate:
      return;
    case Place::kUnnamedNamespace:
      findings.add(entity.span,
                   quoted(entity.name) +
                       " is in an unnamed namespace; give the namespace a name, because a record "
                       "outlives the source file that wrote it");
      return;
    case Place::kIncluded:
      findings.add(entity.span,
                   quoted(entity.name) +
                       " is in a file that is included inside of a namespace; open the namespace "
                       "in the file itself, because the companion class needs what stands "
                       "outside of it");
      return;
    case Place::kClass:
      findings.add(entity.span, quoted(entity.name) + " is inside a class; move it to a namespace");
      return;
    case Place::kFunction:
      findings.add(entity.span, quoted(entity.name) + " is inside a function; move it to a namespace");
      return;
  }
}

}  // namespace autoshard::tool::rules
