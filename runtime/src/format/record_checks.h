#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "layout.h"

/// Checks by the encoders of main_record.h and shard_record.h of a record that they have just made. Each
/// function returns true for bytes that the strict parser of checked_values.h rejects: they come from a codec
/// of the application, or from a record that was already damaged.
namespace autoshard::detail {

bool has_version(std::string_view main_record, std::uint64_t version);

bool has_layout(std::string_view main_record, const ShardedPropertyType& property, const Layout& layout);

/// Returns whether two main records differ only in the version, and in the layout and the entries of this
/// property.
bool keeps_others(const EntityType& type, std::string_view main_record, std::string_view changed,
                  std::string_view property);

/// Returns whether the changed main record has all entries of the other one.
bool keeps_all(std::string_view main_record, std::string_view changed);

/// Returns whether a shard record has this epoch and share.
bool holds_shard(std::string_view record, std::uint64_t epoch, const std::optional<Share>& share = {});

/// Returns whether the value of a shard record is this integer.
bool holds_integer(std::string_view record, std::int64_t value);

/// Returns whether the value of a shard record is this value. True if it is no integer that a store could
/// fold.
bool holds_value(std::string_view record, const ShardedPropertyType& property, const void* value);

/// Returns whether the value of a shard record is this value folded with that of `stored`. True if either is
/// no integer that a store could fold.
bool holds_folded(std::string_view record, const ShardedPropertyType& property, const void* value,
                  std::string_view stored);

}  // namespace autoshard::detail
