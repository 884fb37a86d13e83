#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool is_time(const Type& type) {
  if (type.kind == TypeKind::kOptional) return is_time(type.arguments.front());
  return type.kind == TypeKind::kTimePoint &&
         type.canonical.starts_with("std::chrono::time_point<std::chrono::system_clock") &&
         type.arguments.front().arguments.front().kind == TypeKind::kInteger;
}

}  // namespace

/// When an entity ends is one point in time, which every process reads alike.
void expires(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.annotation("expires") || is_time(property.type)) continue;
    findings.add(property.span, quoted(property.name) + " has type " + quoted(property.type.qualified) +
                                    "; when an entity ends is a std::chrono::system_clock::time_point, a "
                                    "std::chrono::sys_time of integers, or a std::optional of one");
  }
  const Property* first = nullptr;
  for (const Property* property : entity.all_properties()) {
    const Annotation* annotation = property->annotation("expires");
    if (!annotation) continue;
    if (!first) {
      first = property;
      continue;
    }
    Diagnostic& found = findings.add(annotation->span, "an entity ends once, and " + quoted(first->name) +
                                                           " says when; remove one of the two");
    found.notes.push_back({first->annotation("expires")->span, "the other one is here"});
  }
}

}  // namespace autoshard::tool::rules
