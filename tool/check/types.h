#pragma once

/// What values of a type can be used for, and how methods add to collections.

#include "tool/model/method.h"
#include "tool/model/type.h"

namespace autoshard::tool {

/// Whether a value can be an id: it has a form in bytes whose order is that of the values.
bool is_key(const Type& type);

/// Whether an index can sort by a value. Keys can, and points in time and durations that count in integers.
bool is_index_key(const Type& type);

/// The update of `method` that `use` is a part of; null if there is none.
const Update* update_of(const Method& method, const MemberUse& use);

/// Whether `use` is a part of a statement that adds an element to a collection of this type.
bool is_addition(const Method& method, const MemberUse& use, const Type& type);

/// Whether a value consists of elements that can be records of their own.
bool is_group_type(const Type& type);

/// The type of the elements of a collection, or of the keys of a map; null for another type.
const Type* element_of(const Type& type);

}  // namespace autoshard::tool
