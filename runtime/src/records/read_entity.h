#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <string>

#include "context.h"

namespace autoshard::detail {

/// Reads the entity and its shards from a cursor that is at its main record, if there is one; moves the
/// cursor past its shards. Returns false if there is no entity. `main_record`, unless null, is set to the
/// main record. Notes the entity for compaction if it has compactable records.
bool read_entity(MapperContext& context, Cursor& cursor, const EntityRef& entity, Now now,
                 std::string* main_record = nullptr);

/// Folds the committed shard records into the entity.
void fold_shards(MapperContext& context, const EntityRef& entity, Now now);

}  // namespace autoshard::detail
