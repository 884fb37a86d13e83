#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool is_index_key(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDuration:
      return type.arguments.front().kind == TypeKind::kInteger;
    case TypeKind::kTimePoint:
      return is_index_key(type.arguments.front());
    case TypeKind::kStruct:
      return !type.embedded && type.fields.size() == 1 && is_index_key(type.fields.front().type.front());
    default:
      return is_key(type);
  }
}

void check(const Property& property, const Span& span, Findings& findings) {
  if (property.type.kind == TypeKind::kUnsupported || property.is_group() || is_index_key(property.type))
    return;
  Diagnostic& found = findings.add(
      span, quoted(property.name) + " has type " + quoted(property.type.qualified) +
                ", which has no order that a store can keep; an index is over integers, bools, enums, "
                "std::string, std::array of bytes, points in time or durations that are counted in integers, "
                "or structs with one of these as their only member and without constructors");
  if (span != property.span) found.notes.push_back({property.span, quoted(property.name) + " is here"});
}

}  // namespace

/// What an index sorts by becomes a part of an ordered key.
void index_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (property.is_indexed()) check(property, property.span, findings);
  }
  for (const ShardedIndex& index : entity.sharded_indexes) {
    for (const std::vector<Name>* names : {&index.key, &index.order}) {
      for (const Name& name : *names) {
        if (const Property* property = entity.any_property(name.name)) check(*property, name.span, findings);
      }
    }
  }
}

}  // namespace autoshard::tool::rules
