#pragma once

/// What values of a type can be used for.

#include "tool/model/type.h"

namespace autoshard::tool {

/// Whether a value can be an id: it has a form in bytes whose order is that of the values.
bool is_key(const Type& type);

/// Whether an index can sort by a value. Keys can, and points in time and durations that count in integers.
bool is_index_key(const Type& type);

/// Whether a value consists of elements that can be records of their own.
bool is_group_type(const Type& type);

/// The type of the elements of a collection, or of the keys of a map; null for another type.
const Type* element_of(const Type& type);

}  // namespace autoshard::tool
