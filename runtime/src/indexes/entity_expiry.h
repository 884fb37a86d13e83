#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "entity_index.h"

/// Records by which expired entities are found. Each is written and removed in the transaction that writes
/// the main record.
namespace autoshard::detail {

/// Reads the clock of the mapper.
Now ask_clock(const MapperOptions& options);
/// Reads the clock only if the class needs it: reading a clock can take as long as a cached load.
inline Now ask_clock(const MapperOptions& options, const EntityType& type) {
  return type.needs_clock() ? ask_clock(options) : kBeforeAllTimes;
}

/// Must be called in the transaction that writes the main record. The replaced main record expires at
/// `before`. Throws `KeyTooLong` before anything is written.
void put_expiry(Transaction& transaction, const EntityRef& entity, std::optional<std::int64_t> before,
                const EntryLimits& limits);

/// Must be called in the transaction that replaces or erases that main record, whether or not the class knows
/// of expiry.
void erase_expiry(Transaction& transaction, const EntityType& type, EntityKeyView key,
                  std::string_view main_record);

}  // namespace autoshard::detail
