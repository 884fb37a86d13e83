#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

bool is_group_type(const Type& type) {
  switch (type.kind) {
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
      return true;
    default:
      return is_sequence(type);
  }
}

/// Only what consists of elements can have a record for each.
void group_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_group() || property.type.kind == TypeKind::kUnsupported || is_group_type(property.type))
      continue;
    findings.add(property.span,
                 quoted(property.name) + " has type " + quoted(property.type.qualified) +
                     "; a group is a vector, deque, list, set, unordered_set, map or unordered_map, so use "
                     "one of these, or [[autoshard::shardable]]");
  }
}

}  // namespace autoshard::tool::rules
