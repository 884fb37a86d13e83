#include "tool/check/types.h"

#include <algorithm>

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

const Update* update_of(const Method& method, const MemberUse& use) {
  const auto is_its = [&](const Update& update) {
    return update.member == use.member && std::ranges::find(update.uses, use.span) != update.uses.end();
  };
  const auto found = std::ranges::find_if(method.updates, is_its);
  return found == method.updates.end() ? nullptr : &*found;
}

bool is_addition(const Method& method, const MemberUse& use, const Type& type) {
  const Update* const update = update_of(method, use);
  if (method.is_shard_write() || !update || update->by_key) return false;
  if (is_map(type)) return update->operation == Operation::kPut;
  return update->operation == (is_sequence(type) ? Operation::kAppend : Operation::kInsert);
}

}  // namespace autoshard::tool
