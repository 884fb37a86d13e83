#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

std::string example(const Property& property) { return "'also_load(\"old_" + property.stored_name + "\")'"; }

/// Whether the names are there, and mean something on this member.
void check_annotations(const Property& property, Findings& findings) {
  for (const Annotation& annotation : property.annotations) {
    if (annotation.name != "also_load") continue;
    if (property.is_id() || property.is_transient()) {
      findings.add(annotation.span, quoted(property.name) + " is " +
                                        (property.is_id() ? "an id, whose name no record holds"
                                                          : "transient, so no record holds it") +
                                        "; remove '[[autoshard::also_load]]'");
    } else if (annotation.arguments.empty()) {
      findings.add(annotation.span,
                   "'[[autoshard::also_load]]' needs the former name, as in " + example(property));
    }
    for (const Argument& argument : annotation.arguments) {
      if (!argument.name.empty() || argument.value.ends_with('"')) continue;
      findings.add(argument.span, "a former name is a string literal, as in " + example(property));
    }
  }
}

/// The property that `name` belongs to by now, or by an earlier `also_load`, as seen from the former name
/// number `at` of `property`.
const Property* owner_of(const Entity& entity, const Property& property, std::size_t at) {
  const std::string& name = property.former_names[at].name;
  const std::vector<const Property*> properties = entity.all_properties();
  for (const Property* other : properties) {
    if (!other->is_id() && !other->is_transient() && other->stored_name == name) return other;
  }
  for (const Property* other : properties) {
    const std::size_t end = other == &property ? at : other->former_names.size();
    for (std::size_t i = 0; i < end; ++i) {
      if (other->former_names[i].name == name) return other;
    }
    if (other == &property) break;
  }
  return nullptr;
}

void check_names(const Entity& entity, const Property& property, Findings& findings) {
  for (std::size_t at = 0; at < property.former_names.size(); ++at) {
    const auto& [name, span] = property.former_names[at];
    if (name.empty() || name.starts_with('@')) {
      findings.add(span, quoted(name) +
                             " cannot have been the name of a property; give the former name, as in " +
                             example(property));
    } else if (const Property* owner = owner_of(entity, property, at)) {
      Diagnostic& found = findings.add(span, "records hold " + quoted(owner->name) + " under the name " +
                                                 quoted(name) + ", so " + quoted(property.name) +
                                                 " cannot be loaded from it; remove this name or rename " +
                                                 quoted(owner->name));
      found.notes.push_back({owner->span, quoted(owner->name) + " is here"});
    }
  }
}

}  // namespace

/// A name in a record stands for one property.
void also_load(const Entity& entity, Findings& findings) {
  for (const Property* property : entity.all_properties()) {
    check_annotations(*property, findings);
    check_names(entity, *property, findings);
  }
}

}  // namespace autoshard::tool::rules
