#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layout.h"

/// The records of shards, deltas and elements, as defined in runtime/FORMAT.md.
namespace autoshard::detail {

/// The elements of a shard record after its value.
struct ShardTail {
  std::uint64_t epoch = 0;
  std::optional<Share> share;
};
ShardTail read_tail(std::string_view key, std::string_view record);

/// The encoders write into a string and reuse its memory.
void encode_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                  std::uint64_t epoch);
/// The age that the record of an element of a set or map states (see FORMAT.md).
enum class ElementMark : std::uint8_t {
  kAdopted = 0,    ///< compaction made the element of content from an earlier version of the class
  kReplacing = 1,  ///< the write removed equal elements under former names
  kNone,           ///< no mark is stored
};
/// Encodes an element of a group. `container`: as in `PutElement`.
void encode_element(std::string& record, std::string_view container, std::uint64_t epoch, ElementMark mark);
ElementMark read_mark(std::string_view key, std::string_view record);
/// Returns the time of the store from which on the record of a bucket may be removed. Empty: no compaction
/// has found yet that the bucket counts no more.
std::optional<std::uint64_t> read_bucket_end(std::string_view key, std::string_view record);
/// Encodes the record of a bucket anew, with that time.
void encode_bucket_end(std::string& record, std::string_view key, std::string_view stored, std::uint64_t end);
/// Returns the encoded container of an element.
std::string read_container(std::string_view key, std::string_view record);
/// Encodes the elements of a shard record after its value. Returns the number of elements with the value.
std::uint32_t encode_tail(std::string& tail, std::uint64_t epoch);
/// Encodes the value folded with that of a stored shard record; the value alone if the stored record has
/// another epoch.
void encode_folded_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                         std::uint64_t epoch, std::string_view key, std::string_view stored);
/// Without a share if the whole value is out of its bounds.
void encode_bounded_shard(std::string& record, std::int64_t value, std::uint64_t epoch,
                          const std::optional<Share>& share);

/// Folds a shard record into the value. Returns false, and folds nothing, if the record has another epoch.
bool fold_shard(const ShardedPropertyType& property, void* value, std::uint64_t epoch, std::string_view key,
                std::string_view record);

}  // namespace autoshard::detail
