#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "layout.h"

/// What the encoders of main_record.h and shard_record.h check about a record that they have just made. Each
/// function is true where the bytes are no record by the strict reading of checked_values.h: they come from a
/// codec of the application, or from a record that was damaged before.
namespace autoshard::detail {

bool has_version(std::string_view main_record, std::uint64_t version);

bool has_layout(std::string_view main_record, const ShardedPropertyType& property, const Layout& layout);

/// Whether two main records differ in nothing but the version, and the layout and the entries of this
/// property.
bool keeps_others(const EntityType& type, std::string_view main_record, std::string_view changed,
                  std::string_view property);

/// Whether the changed main record has all that the other one has.
bool keeps_all(std::string_view main_record, std::string_view changed);

/// Whether a shard record has this epoch and share.
bool holds_shard(std::string_view record, std::uint64_t epoch, const std::optional<Share>& share = {});

/// Whether the value of a shard record is this one.
bool holds_integer(std::string_view record, std::int64_t value);

/// Likewise. True where it is no integer that a store could fold.
bool holds_value(std::string_view record, const ShardedPropertyType& property, const void* value);

/// Whether the value of a shard record is that of `stored` folded with this one. True as above.
bool holds_folded(std::string_view record, const ShardedPropertyType& property, const void* value,
                  std::string_view stored);

}  // namespace autoshard::detail
