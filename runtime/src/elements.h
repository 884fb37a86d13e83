#pragma once

#include <autoshard/detail/entity_type.h>

#include <string_view>

#include "record.h"
#include "staged_writes.h"

namespace autoshard::detail {

/// The elements of a group's value as a record each, in groups that are drawn at random, or, of sets and
/// maps, follow from the element: one that equals another takes its place.
void put_elements(const ShardedPropertyType& property, std::string_view entity_key, const Layout& layout,
                  const void* value, StagedWrites& writes);

}  // namespace autoshard::detail
