#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <ostream>

#include "looks.h"

namespace autoshard::ctl {

/// Looks at each record and reports what cannot be, with the key of the record:
/// - a value that the format does not allow for its key;
/// - a shard, delta, element or bucket of an entity that has no main record;
/// - a part of a bounded property beyond its share;
/// - an expiry in a main record without the record by which it is found, and the reverse;
/// - an index with records and no generation.
/// Foreign records, what an erase has left beside its tombstone, and indexes that were given up are no
/// problems: mappers bear them. It does not compare entries of indexes with their entities, which takes the
/// classes.
///
/// Returns the number of problems. Changes nothing.
std::uint64_t verify(Store& store, Output output);

}  // namespace autoshard::ctl
