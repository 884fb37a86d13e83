#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layout.h"

/// The records of shards, deltas and elements, as runtime/FORMAT.md has them.
namespace autoshard::detail {

/// What a shard record has behind its value.
struct ShardTail {
  std::uint64_t epoch = 0;
  std::optional<Share> share;
};
ShardTail read_tail(std::string_view key, std::string_view record);

/// Each of these into a string whose memory is used again.
void encode_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                  std::uint64_t epoch);
/// What the record of an element of a set or map says of its age (see FORMAT.md).
enum class ElementMark : std::uint8_t {
  kAdopted = 0,    ///< compaction has made it of what an earlier version of the class left
  kReplacing = 1,  ///< its write has removed equal elements under former names
  kNone,           ///< nothing, which is not stored
};
/// An element of a group. `container`: as in `PutElement`.
void encode_element(std::string& record, std::string_view container, std::uint64_t epoch, ElementMark mark);
ElementMark read_mark(std::string_view key, std::string_view record);
/// The container of an element, encoded.
std::string read_container(std::string_view key, std::string_view record);
/// What a shard record has behind its value; returns how many elements that are with it.
std::uint32_t encode_tail(std::string& tail, std::uint64_t epoch);
/// The value folded with that of a stored shard record; alone, if that is of another epoch.
void encode_folded_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                         std::uint64_t epoch, std::string_view key, std::string_view stored);
/// Without a share where the whole value is out of its bounds.
void encode_bounded_shard(std::string& record, std::int64_t value, std::uint64_t epoch,
                          const std::optional<Share>& share);

/// Folds a shard record into the value; false, and nothing is folded, if it is of another epoch.
bool fold_shard(const ShardedPropertyType& property, void* value, std::uint64_t epoch, std::string_view key,
                std::string_view record);

}  // namespace autoshard::detail
