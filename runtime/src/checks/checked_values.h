#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::detail {

/// Strict parsers for the values of records, by runtime/FORMAT.md: a mapper writes only values that they
/// accept. Each returns an empty result for other bytes. `key` is the key of the record.

struct CheckedMain {
  bool is_tombstone = false;
  std::uint64_t version = 0;
  std::optional<std::int64_t> expires{};
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> layouts{};  ///< number of shards and epoch
  std::map<std::string, std::string> entries{};                              ///< of properties, encoded
};
std::optional<CheckedMain> read_checked_main(std::string_view key, std::string_view record);

/// A shard, a delta, an element or a bucket.
struct CheckedShard {
  std::size_t elements = 0;
  std::uint64_t epoch = 0;
  std::optional<std::uint64_t> third{};  ///< the mark of an element, the end of a bucket
  std::string value{};                   ///< encoded
  std::optional<std::pair<std::int64_t, std::int64_t>> share{};  ///< least and most
  std::optional<std::int64_t> part{};                            ///< the value, if there is a share
};
std::optional<CheckedShard> read_checked_shard(std::string_view key, std::string_view record);

/// Returns the epoch that follows the number in a fold.
std::optional<std::uint64_t> read_checked_tail(std::string_view key, std::string_view tail);

/// Returns the elements of an array of `elements` integers.
std::optional<std::vector<std::int64_t>> read_checked_numbers(std::string_view key, std::string_view record,
                                                              std::size_t elements);
/// One natural number.
std::optional<std::uint64_t> read_checked_natural(std::string_view key, std::string_view record);

/// Whether the record is an integer of any sign.
bool is_checked_integer(std::string_view key, std::string_view record);

bool is_checked_nil(std::string_view record);
bool is_checked_boolean(std::string_view record);
/// Returns the bytes of a str.
std::optional<std::string> read_checked_text(std::string_view key, std::string_view record);

}  // namespace autoshard::detail
