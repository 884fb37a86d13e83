#pragma once

#include <autoshard/detail/entity_type.h>

#include <string>
#include <string_view>

#include "context.h"
#include "main_record.h"

/// The events of saves and loads for the statistics of adaptive sharding and of hot spots.
namespace autoshard::detail {

/// Must be called after the main record was saved.
void note_saved(MapperContext& context, EntityKeyView key);

/// Must be called after the entity was loaded. `head`: the head of its main record.
void note_loaded(MapperContext& context, const EntityRef& entity, const MainHead& head);

/// Must be called if the entity cannot be saved because another caller saved it since it was loaded. `main`:
/// the parsed `there_now`.
void note_stale(MapperContext& context, const EntityRef& entity, const StoredMain& main,
                const std::string& there_now);

/// Must be called if the main record `mine` could not be written because the store has `there_now`. `before`:
/// the record on which `mine` is based; null if it is not known.
void note_conflict(MapperContext& context, EntityKeyView key, const std::string* before,
                   std::string_view mine, std::string_view there_now);

}  // namespace autoshard::detail
