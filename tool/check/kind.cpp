#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A kind is part of every key.
void kind(const Entity& entity, Findings& findings) {
  const Annotation* annotation = entity.annotation("entity");
  if (!annotation || annotation->arguments.empty()) return;
  const Argument& argument = annotation->arguments.front();
  if (!argument.name.empty()) return;  // autoshard-unknown-argument
  if (!argument.value.starts_with('"') && !argument.value.starts_with("R\"")) {
    findings.add(argument.value_span,
                 "the kind of an entity is a string literal, as in 'entity(\"" + entity.name + "\")'");
  } else if (entity.kind.empty()) {
    findings.add(argument.value_span,
                 "the kind of an entity cannot be empty; leave it out to use " + quoted(entity.name));
  }
}

}  // namespace autoshard::tool::rules
