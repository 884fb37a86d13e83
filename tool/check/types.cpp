#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

/// Whether the type is a struct with a single field, and `holds` accepts the type of this field.
bool wraps_one(const Type& type, bool (&holds)(const Type&)) {
  return type.kind == TypeKind::kStruct && !type.embedded && type.fields.size() == 1 &&
         holds(type.fields.front().type.front());
}

}  // namespace

bool is_key(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
    case TypeKind::kInteger:
    case TypeKind::kEnum:
    case TypeKind::kString:
      return true;
    case TypeKind::kArray:
      return type.arguments.front().is_byte;
    default:
      return wraps_one(type, is_key);
  }
}

bool is_index_key(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDuration:
      return type.arguments.front().kind == TypeKind::kInteger;
    case TypeKind::kTimePoint:
      return is_index_key(type.arguments.front());
    default:
      return is_key(type) || wraps_one(type, is_index_key);
  }
}

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

const Type* element_of(const Type& type) {
  if (!is_group_type(type) && type.kind != TypeKind::kArray) return nullptr;
  return &type.arguments.front();
}

}  // namespace autoshard::tool
