#include "tool/laws/known.h"

#include <algorithm>
#include <optional>
#include <string>

namespace autoshard::tool {
namespace {

/// Whether values of the type are integers or bitsets, whose operations are exact.
bool is_exact(const Type& type) { return type.kind == TypeKind::kInteger || type.kind == TypeKind::kBitset; }

/// The operation of the fold of `property` on integers or bitsets; nothing for other types.
std::optional<Operation> exact_operation(const Property& property) {
  return property.sharding && is_exact(property.type) ? property.sharding->operation : std::nullopt;
}

/// The least value of an integer type, in the form of Sharding::neutral_value.
std::int64_t least(const Type& type) {
  return type.is_signed ? -1 - static_cast<std::int64_t>((std::uint64_t{1} << (type.bits - 1)) - 1) : 0;
}

std::int64_t greatest(const Type& type) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - type.bits);
  return static_cast<std::int64_t>(type.is_signed ? all >> 1 : all);
}

/// The neutral value of `operation` on integers or bitsets; nothing if it is unknown.
std::optional<std::int64_t> neutral_of(Operation operation, const Type& type) {
  switch (operation) {
    case Operation::kAdd:
    case Operation::kBitOr:
    case Operation::kBitXor:
      return 0;
    case Operation::kMultiply:
      return 1;
    case Operation::kBitAnd:
      if (type.kind == TypeKind::kBitset) return std::nullopt;  // all ones; their number is unknown
      return type.is_signed ? -1 : greatest(type);
    case Operation::kMaximum:
      return least(type);
    case Operation::kMinimum:
      return greatest(type);
    case Operation::kInsert:
    case Operation::kAppend:
    case Operation::kPrepend:
    case Operation::kPut:
      break;
  }
  return std::nullopt;
}

/// The operation of the fold of `property` on containers, if its result does not depend on the order. It
/// unites sets, adds values by key, or appends elements without order. Nothing for other folds.
std::optional<Operation> container_operation(const Property& property) {
  if (!property.sharding || !property.sharding->operation) return std::nullopt;
  const Type& type = property.type;
  const Operation operation = *property.sharding->operation;
  switch (type.kind) {
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
      if (operation != Operation::kInsert || !type.compares_as_usual) return std::nullopt;
      return operation;
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap: {
      // A missing key has the value 0.
      const bool begins_with_0 =
          operation == Operation::kAdd || operation == Operation::kBitOr || operation == Operation::kBitXor;
      if (!begins_with_0 || !type.compares_as_usual || type.arguments.back().kind != TypeKind::kInteger)
        return std::nullopt;
      return operation;
    }
    default:
      if (!is_sequence(type) || operation != Operation::kAppend || !property.sharding->any_order)
        return std::nullopt;
      return operation;
  }
}

/// Whether the form of the fold of `property` proves a law of this kind. Each operation on integers and
/// bitsets is commutative and associative.
bool fold_obeys(Law::Kind kind, const Property& property) {
  if (container_operation(property))
    return kind != Law::Kind::kAdds && (kind != Law::Kind::kNeutral || property.sharding->neutral_is_empty);
  const auto operation = exact_operation(property);
  if (!operation) return false;
  if (kind == Law::Kind::kAdds) return operation == Operation::kAdd;
  if (kind != Law::Kind::kNeutral) return true;
  const auto neutral = neutral_of(*operation, property.type);
  return neutral && property.sharding->neutral_value == neutral;
}

/// Whether the operand of `update` is exact and does not depend on the object.
bool brings_exact_value(const Update& update, const Method& method) {
  if (update.operand != Operand::kParameter) return update.operand == Operand::kConstant;
  const Parameter& parameter = method.parameters[update.parameter];
  return parameter.passing != Passing::kReference &&
         (is_exact(parameter.type) || parameter.type.kind == TypeKind::kBool);
}

/// Whether no effect of `method` depends on a member.
bool depends_on_no_member(const Method& method) {
  return !method.calls_shard_methods && std::ranges::all_of(method.uses, [&](const MemberUse& use) {
    return belongs_to_update(method, use);
  });
}

bool commutes(const Entity& entity, const Method& method) {
  const auto is_group = [&](const std::string& member) { return entity.property(member)->is_group(); };
  if (method.has_body && !method.touches.empty() && std::ranges::all_of(method.touches, is_group))
    return true;
  return method.only_updates && std::ranges::all_of(method.updates, [&](const Update& update) {
           const Property* property = entity.property(update.member);
           if (!property) return false;
           if (property->is_group()) return depends_on_no_member(method);
           if (container_operation(*property) == update.operation) {
             const bool holds_values = is_map(property->type);
             return update.by_key == holds_values && depends_on_no_member(method) &&
                    (!holds_values || brings_exact_value(update, method));
           }
           return !update.by_key && exact_operation(*property) == update.operation &&
                  brings_exact_value(update, method);
         });
}

}  // namespace

bool follows_from_form(const Entity& entity, const Law& law) {
  if (law.kind == Law::Kind::kReplaces) return law.method->only_assigns;
  return law.method ? commutes(entity, *law.method) : fold_obeys(law.kind, *law.property);
}

}  // namespace autoshard::tool
