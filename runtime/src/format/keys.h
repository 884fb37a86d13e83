#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The keys of records, as runtime/FORMAT.md has them. An entity's key, which `detail/id.h` makes, is what
/// the keys of all its records begin with.
namespace autoshard::detail {

inline constexpr std::uint16_t kDeltas = 0xFFFF;  ///< in the place of a shard's number

/// Into a string whose memory is used again.
void set_main_key(std::string& key, std::string_view entity_key);
void set_shard_key(std::string& key, std::string_view entity_key, std::string_view property,
                   std::uint16_t shard);

/// Of a delta: a new key, above those that were made before, as far as clocks agree.
void set_delta_key(std::string& key, std::string_view entity_key, std::string_view property);

/// Of a new element of a sequence, in this group: above those that were made before in it, likewise.
void set_new_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                         std::uint16_t group);
/// Of an element of a sequence that is made of something older. The id begins with `time`, which gives the
/// element its place. A number follows that grows from call to call, so that elements of one time stay in
/// their order. Another process may have given the same number: look for the key before it is used.
void set_adopted_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                             std::uint64_t time);
/// Of an element of a set or map, by the bytes that tell it from others: one place for each.
void set_equal_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                           std::string_view bytes);

/// Of a bucket of a window, which begins at this time, in milliseconds since 1970; not below 0.
void set_bucket_key(std::string& key, std::string_view entity_key, std::string_view property,
                    std::uint16_t shard, std::int64_t begin);

std::string main_key(std::string_view entity_key);
std::string shard_key(std::string_view entity_key, std::string_view property, std::uint16_t shard);

/// Of a record of the mappers' own, which is no entity's.
std::string lease_key(std::string_view name);

/// Likewise, the time of the store.
std::string store_clock_key();

/// Likewise, the mark of a writer.
std::string writer_key(std::uint64_t id);

/// Likewise, that an update of the entity was counted which had this token.
void set_token_key(std::string& key, std::string_view entity_key, std::string_view token);
bool is_token_key(std::string_view key);

/// Likewise, that the entity expires at this time, in milliseconds since 1970. Those of a kind lie in the
/// order of their times.
std::string expiry_key(std::string_view kind, std::int64_t time, std::string_view entity_key);
/// Below those of this time and above all of earlier ones.
std::string begin_of_expiries(std::string_view kind, std::int64_t time);
struct ExpiryKey {
  std::int64_t time;
  std::string entity_key;
};
/// Empty for a record that something else has left there. `key` is not below `begin_of_expiries` of 0.
std::optional<ExpiryKey> read_expiry_key(std::string_view kind, std::string_view key);

/// The least of the keys of tokens and writers, and what is above all of them.
std::string begin_of_expiring();
std::string end_of_expiring();

/// What the keys of all records of a kind's indexes begin with, and of those of one. `definition`: a number
/// that tells the index from others that had its name.
std::string indexes_key(std::string_view kind);
std::string index_key(std::string_view kind, std::string_view index, std::uint32_t definition);

/// The part of such a record's key that is its index's; empty if it is none's. `kind_size`: of `indexes_key`.
std::string_view index_of(std::string_view record_key, std::size_t kind_size);

void append_shard_number(std::string& key, std::uint16_t shard);
void append_big_endian(std::string& key, std::uint64_t number);

/// Takes a member of an index off the front of a key; throws `CorruptRecord` if there is none.
void skip_part(std::string_view& key);

/// What the keys of all entities of a kind begin with.
std::string kind_key(std::string_view kind);

/// Above every record's key of the entity, or kind, and below every other one's that is above them.
std::string end_key(std::string_view entity_key);

/// Above every key of a property's shards and deltas, which begin with `shard_key` of 0.
std::string end_of_property(std::string_view entity_key, std::string_view property);

/// A shard's key, taken apart.
struct ShardKey {
  std::string_view property;           ///< a part of the key
  std::optional<std::uint16_t> shard;  ///< of an element, its group; empty: it is that of a delta
  std::string_view element;            ///< the id of an element or delta; empty: it is that of a shard

  bool is_of_element() const { return shard && !element.empty(); }
};
/// The time and the number in the id of a delta, or of an element of a sequence.
std::pair<std::uint64_t, std::uint64_t> read_new_id(std::string_view element);
/// When a bucket begins; empty if the key is none of a bucket.
std::optional<std::int64_t> read_bucket(const ShardKey& key);
/// Empty if the record of the entity is no shard.
std::optional<ShardKey> read_shard_key(std::string_view entity_key, std::string_view record_key);

/// The part of a record's key that is the entity's; empty if it is no entity's record.
std::string_view entity_of(std::string_view record_key);

/// A key in words, for messages: `Question 42, shard 3 of votes`. Any bytes will do.
std::string describe(std::string_view key);

}  // namespace autoshard::detail
