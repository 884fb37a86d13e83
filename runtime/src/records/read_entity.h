#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>

#include "context.h"

namespace autoshard::detail {

/// Reads the entity, with its shards, from a cursor that has come to its main record, if there is one; the
/// cursor goes on behind its shards. Returns false if there is no entity. `main_record`, unless null, is set
/// to the main record. Notes what compaction would find something to fold in.
bool read_entity(MapperContext& context, Cursor& cursor, const EntityRef& entity, Now now,
                 std::string* main_record = nullptr);

/// Folds the shard records as they are committed into the entity.
void fold_shards(MapperContext& context, const EntityRef& entity, Now now);

}  // namespace autoshard::detail
