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

/// The type of the elements of a collection, or of the keys of a map; null for another type.
const Type* element_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::kVector:
    case TypeKind::kDeque:
    case TypeKind::kList:
    case TypeKind::kArray:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
      return &type.arguments.front();
    default:
      return nullptr;
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
  if (const Type* element = element_of(property.type);
      element && is_index_key(*element) && !property.is_sharded())
    found.message +=
        "; write 'index(elements)' to find entities by what " + quoted(property.name) + " contains";
  if (span != property.span) found.notes.push_back({property.span, quoted(property.name) + " is here"});
}

void check_elements(const Property& property, Findings& findings) {
  const Type* element = element_of(property.type);
  if (property.type.kind == TypeKind::kUnsupported || (element && is_index_key(*element))) return;
  if (!element) {
    findings.add(property.span, quoted(property.name) + " has type " + quoted(property.type.qualified) +
                                    ", which is no collection; remove 'elements'");
    return;
  }
  findings.add(property.span,
               "the elements of " + quoted(property.name) + " have type " + quoted(element->qualified) +
                   ", which has no order that a store can keep; an index is over integers, bools, enums, "
                   "std::string, std::array of bytes, points in time or durations that are counted in "
                   "integers, or structs with one of these as their only member and without constructors");
}

}  // namespace

/// What an index sorts by becomes a part of an ordered key.
void index_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (property.has_elements_index()) {
      if (!property.is_sharded()) check_elements(property, findings);
    } else if (property.is_indexed()) {
      check(property, property.span, findings);
    }
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
