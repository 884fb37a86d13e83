#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void check_arguments(const Annotation& annotation, Findings& findings) {
  for (auto at = annotation.arguments.begin(); at != annotation.arguments.end(); ++at) {
    auto first = std::find_if(annotation.arguments.begin(), at, [&](const Argument& other) {
      return other.name == at->name && (!at->name.empty() || other.value == at->value);
    });
    if (first == at) continue;
    Diagnostic& found = findings.add(at->span, "argument " + quoted(at->name.empty() ? at->value : at->name) +
                                                   " is given twice; remove one of them");
    found.notes.push_back({first->span, "the first is here"});
  }
}

void check(const std::vector<Annotation>& annotations, Findings& findings) {
  for (auto at = annotations.begin(); at != annotations.end(); ++at) {
    check_arguments(*at, findings);
    if (at->name == "also_load" || at->name == "sharded_index") continue;  // one for each name
    auto first = std::find_if(annotations.begin(), at,
                              [&](const Annotation& other) { return other.name == at->name; });
    if (first == at) continue;
    Diagnostic& found =
        findings.add(at->span, quoted_attribute(at->name) + " is given twice; remove one of them");
    found.notes.push_back({first->span, "the first is here"});
  }
}

}  // namespace

/// An attribute or an argument that is given twice says two things.
void duplicate(const Entity& entity, Findings& findings) {
  check(entity.annotations, findings);
  for (const Property& property : entity.properties) check(property.annotations, findings);
  for (const Method& method : entity.methods) check(method.annotations, findings);
}

}  // namespace autoshard::tool::rules
