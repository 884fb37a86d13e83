#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <ostream>

#include "looks.h"
#include "repair.h"

namespace autoshard::ctl {

/// Looks at each record and reports what cannot be, with the key of the record:
/// - a value that the format does not allow for its key;
/// - a shard, delta, element or bucket of an entity that has no main record;
/// - a part of a bounded property beyond its share;
/// - an expiry in a main record without the record by which it is found, and the reverse;
/// - an index with records and no generation;
/// - a record of a complete index that is of no entity.
/// Foreign records, what an erase has left beside its tombstone, and indexes that were given up are no
/// problems: mappers bear them. It does not look for entries that an index lacks, or that have other values
/// than their entities: that takes the classes.
///
/// If `repair` is given, removes the records of an entity without a main record, and an expiry of no entity;
/// writes the expiry that an entity lacks, if it is to come and the entity has no other. Everything else
/// stays as it is.
///
/// Returns the number of problems that are left.
std::uint64_t verify(Store& store, Output output, Repair* repair = nullptr);

}  // namespace autoshard::ctl
