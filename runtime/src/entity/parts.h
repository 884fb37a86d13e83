#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>

/// The parts of a `Shard`, one for each sharded property. A part is either folded updates, or a value that
/// replaces the whole value. (The parameters are not const, because the accessors also serve code that
/// writes.)
namespace autoshard::detail {

inline bool replaces(const ShardedPropertyType& property, void* shard) {
  return property.replaced && *property.replaced(shard);
}

inline bool replaces(const EntityType& type, void* shard) {
  return std::ranges::any_of(type.sharded,
                             [&](const ShardedPropertyType& property) { return replaces(property, shard); });
}

/// Returns whether an update of the property may replace its value.
inline bool may_replace(const ShardedPropertyType& property) { return property.replaced != nullptr; }

/// Returns whether the order of updates matters: one may replace the value, or the value of a key in a group.
inline bool order_matters(const EntityType& type) {
  return std::ranges::any_of(type.sharded, [](const ShardedPropertyType& property) {
    return may_replace(property) || property.folds_in_order();
  });
}

/// Returns whether the part changes nothing.
inline bool is_neutral(const ShardedPropertyType& property, void* shard) {
  return !replaces(property, shard) && property.is_neutral(property.in_shard(shard));
}

inline bool is_neutral(const EntityType& type, void* shard) {
  for (const ShardedPropertyType& property : type.sharded) {
    if (!is_neutral(property, shard)) return false;
  }
  return true;
}

inline void make_neutral(const EntityType& type, void* shard) {
  for (const ShardedPropertyType& property : type.sharded) {
    property.make_neutral(property.in_shard(shard));
    if (property.replaced) *property.replaced(shard) = false;
  }
}

/// Adds a part of `later` to the part of `shard`. The updates of `later` are newer.
inline void fold_part(const ShardedPropertyType& property, void* shard, void* later) {
  if (replaces(property, later)) {
    property.copy(property.in_shard(shard), property.in_shard(later));
    *property.replaced(shard) = true;
  } else {
    property.fold_value(property.in_shard(shard), property.in_shard(later));
  }
}

inline void fold_parts(const EntityType& type, void* shard, void* later) {
  for (const ShardedPropertyType& property : type.sharded) fold_part(property, shard, later);
}

/// Folds the parts of `shard` into the values of the entity.
inline void fold_into_entity(const EntityType& type, void* entity, void* shard) {
  for (const ShardedPropertyType& property : type.sharded) {
    const auto add = replaces(property, shard) ? property.copy : property.fold_value;
    add(property.in_entity(entity), property.in_shard(shard));
  }
}

}  // namespace autoshard::detail
