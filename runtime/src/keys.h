#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The keys of records, as runtime/FORMAT.md has them. An entity's key, which `detail/id.h` makes, is what
/// the keys of all its records begin with.
namespace autoshard::detail {

/// Into a string whose memory is used again.
void set_main_key(std::string& key, std::string_view entity_key);
void set_shard_key(std::string& key, std::string_view entity_key, std::string_view property,
                   std::uint16_t shard);

std::string main_key(std::string_view entity_key);
std::string shard_key(std::string_view entity_key, std::string_view property, std::uint16_t shard);

/// Above every record's key of the entity, and below every other entity's that is above them.
std::string end_key(std::string_view entity_key);

/// The property that the record of an entity is a shard of; empty if it is none.
std::optional<std::string> property_of_shard(std::string_view entity_key, std::string_view record_key);

/// A key in words, for messages: `Question 42, shard 3 of votes`. Any bytes will do.
std::string describe(std::string_view key);

}  // namespace autoshard::detail
