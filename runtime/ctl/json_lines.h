#pragma once

/// Records as lines of JSON, which another store can take in.

#include <autoshard/store.h>

#include <cstdint>
#include <istream>

#include "looks.h"

namespace autoshard::ctl {

/// Writes a line of JSON for each record, with key and value in hex, besides its form, kind and id. Leaves
/// out the records that are reserved for a store. If `kind` is not empty, writes the records of its entities
/// and of their indexes only.
Missing export_records(Store& store, const std::string& kind, Output output);

/// The lines that were read, and the records that the store lacked.
struct Imported {
  std::uint64_t records = 0, written = 0;
};

/// Writes the record of each line in `lines` that `to` lacks. A line is that of `export_records`, or of the
/// file of `verify --repair`. Let no program use the store meanwhile. An import that was cut short can be
/// repeated: it writes the rest.
///
/// Throws `InvalidUse` for a line that is no record; for a record of which the store has another value; for
/// an entity of which the store has records that the lines do not have, as they may be of a later state; and
/// for the state of an index that the store does not have, if it has entities of this kind: they would lack
/// their entries. Throws `KeyTooLong` if the store cannot hold a key, and what the store throws. The message
/// tells the line. Records of earlier lines may have been written.
Imported import_records(Store& to, std::istream& lines);

}  // namespace autoshard::ctl
