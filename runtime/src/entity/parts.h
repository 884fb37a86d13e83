#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>

/// The parts of a `Shard`, one a sharded property: either updates, folded, or what the value is replaced by.
/// (Not const, for the accessors, which serve writers too.)
namespace autoshard::detail {

inline bool replaces(const ShardedPropertyType& property, void* shard) {
  return property.replaced && *property.replaced(shard);
}

/// Whether an update of the property may replace its value. Then the order of updates matters.
inline bool may_replace(const ShardedPropertyType& property) { return property.replaced != nullptr; }

inline bool may_replace(const EntityType& type) {
  return std::ranges::any_of(type.sharded,
                             [](const ShardedPropertyType& property) { return may_replace(property); });
}

/// Whether the part changes nothing.
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

/// Adds the part of `later`, which came after that of `shard`.
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

/// Adds the parts of `shard` to the aggregated values.
inline void fold_into_entity(const EntityType& type, void* entity, void* shard) {
  for (const ShardedPropertyType& property : type.sharded) {
    const auto add = replaces(property, shard) ? property.copy : property.fold_value;
    add(property.in_entity(entity), property.in_shard(shard));
  }
}

}  // namespace autoshard::detail
