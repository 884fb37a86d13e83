#pragma once

#include <autoshard/detail/entity_type.h>

#include <string>
#include <string_view>

#include "context.h"
#include "main_record.h"

/// What saves and loads tell the statistics of adaptive sharding and of hot spots.
namespace autoshard::detail {

/// The main record was saved.
void note_saved(MapperContext& context, std::string_view key);

/// The entity was loaded; `head` is that of its main record.
void note_loaded(MapperContext& context, const EntityRef& entity, const MainHead& head);

/// The entity cannot be saved, because it was saved since it was loaded. `main` is what `there_now` holds.
void note_stale(MapperContext& context, const EntityRef& entity, const StoredMain& main,
                const std::string& there_now);

/// The main record `mine` could not be written, because `there_now` is in the store. `before`: the record
/// that `mine` was made of; null if it is not known.
void note_conflict(MapperContext& context, std::string_view key, const std::string* before,
                   std::string_view mine, std::string_view there_now);

}  // namespace autoshard::detail
