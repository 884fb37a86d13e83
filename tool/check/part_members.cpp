#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void check_annotations(const std::vector<Annotation>& annotations,
                       const std::vector<std::string_view>& fitting, std::string_view role,
                       Findings& findings) {
  for (const Annotation& annotation : annotations) {
    if (std::ranges::find(fitting, annotation.name) != fitting.end()) continue;
    findings.add(annotation.span, quoted_attribute(annotation.name) + " does not work in a class that is " +
                                      std::string(role) + "; move it to the entity");
  }
}

}  // namespace

/// What is sharded has its shards and its methods in the entity itself; what is embedded has no key.
void part_members(const Entity& part, Findings& findings) {
  const bool mapped = part.role == Role::kMapped;
  const std::string_view role = mapped ? "mapped" : "embedded";
  const std::vector<std::string_view> fitting =
      mapped ? std::vector<std::string_view>{"id", "transient", "also_load", "index", "expires"}
             : std::vector<std::string_view>{"transient"};
  check_annotations(part.annotations, {role}, role, findings);
  for (const Property& property : part.properties)
    check_annotations(property.annotations, fitting, role, findings);
  for (const Method& method : part.methods) check_annotations(method.annotations, {}, role, findings);
}

}  // namespace autoshard::tool::rules
