#pragma once

/// Commands that show what a store holds. None changes anything.

#include <autoshard/store.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "where.h"

namespace autoshard::ctl {

/// Where a command writes, and in which form.
struct Output {
  std::ostream& out;
  bool is_json = false;  ///< JSON for programs, one document a line, instead of text for people
};

/// Records and bytes of the store, and of each form of record.
void show_info(Store& store, Output output);

/// For each kind of entity: how many there are, and the records and bytes of each form.
void show_kinds(Store& store, Output output);

/// What a command has not found, and what there is in its place; empty if it has found something.
using Missing = std::string;

/// The message if no entity of this kind was found.
Missing missing_kind(const Snapshot& snapshot, const std::string& kind);

/// The message if this entity was not found.
Missing missing_entity(const Snapshot& snapshot, const std::string& kind, const std::string& id);

/// The message if a property of an entity has no parts.
Missing missing_shards(const Snapshot& snapshot, const std::string& kind, const std::string& id,
                       const std::string& property);

/// All records of an entity.
Missing show_entity(Store& store, const std::string& kind, const std::string& id, Output output);

/// The shards of a property of an entity, and how evenly the updates are spread.
Missing show_shards(Store& store, const std::string& kind, const std::string& id, const std::string& property,
                    Output output);

/// The main records of a kind, as lines of JSON, in the order of ids. `where`: only those for which it holds;
/// null: all.
Missing show_entities(Store& store, const std::string& kind, const Where* where, std::uint64_t limit,
                      Output output);

/// The tokens (idempotency keys) of a kind or of an entity, and for how long each counts. An empty `kind` or
/// `id` stands for all.
Missing show_tokens(Store& store, const std::string& kind, const std::string& id, std::uint64_t limit,
                    Output output);

/// Every record of the store, as lines of JSON, or those of one form.
void show_records(Store& store, const std::string& form, std::uint64_t limit, Output output);

/// A line for each index and its state.
void show_indexes(Store& store, Output output);

/// The indexes that are not complete, and the calls of a program that complete them: to build an index takes
/// the class. Returns whether there are any.
bool show_index_builds(Store& store, Output output);

/// A time in UTC, or the number if the year has more than four digits.
std::string time_text(std::int64_t milliseconds);

}  // namespace autoshard::ctl
