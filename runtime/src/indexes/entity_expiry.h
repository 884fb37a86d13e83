#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "entity_index.h"

/// Records by which entities are found whose time has come. Each is written and removed in the transaction
/// that writes the main record.
namespace autoshard::detail {

/// Asks the clock of the mapper.
Now ask_clock(const MapperOptions& options);
/// Asks it only if the class needs it: a look at the clock can take as long as a cached load.
inline Now ask_clock(const MapperOptions& options, const EntityType& type) {
  return type.needs_clock() ? ask_clock(options) : kBeforeAllTimes;
}

/// With the main record of the entity, in whose place there was one that expires at `before`. Throws
/// `KeyTooLong`, before anything is put.
void put_expiry(Transaction& transaction, const EntityRef& entity, std::optional<std::int64_t> before,
                const EntryLimits& limits);

/// With that main record, whether or not the class knows of expiry.
void erase_expiry(Transaction& transaction, const EntityType& type, std::string_view key,
                  std::string_view main_record);

}  // namespace autoshard::detail
