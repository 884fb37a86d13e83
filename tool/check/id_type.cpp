#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool is_byte(const Type& type) { return type.canonical == "unsigned char" || type.canonical == "std::byte"; }

}  // namespace

bool is_key(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
    case TypeKind::kInteger:
    case TypeKind::kEnum:
    case TypeKind::kString:
      return true;
    case TypeKind::kArray:
      return is_byte(type.arguments.front());
    case TypeKind::kStruct:
      return !type.embedded && type.fields.size() == 1 && is_key(type.fields.front().type.front());
    default:
      return false;
  }
}

/// An id becomes a part of an ordered key.
void id_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_id() || is_key(property.type)) continue;
    findings.add(property.span, "id " + quoted(property.name) + " has type " +
                                    quoted(property.type.qualified) +
                                    "; an id is an integer, a bool, an enum, a std::string, a std::array of "
                                    "bytes, or a struct with one of these as its only member and without "
                                    "constructors");
  }
}

}  // namespace autoshard::tool::rules
