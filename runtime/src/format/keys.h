#pragma once

#include <autoshard/detail/entity_key.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The keys of records, as defined in runtime/FORMAT.md. An entity's key, which `detail/id.h` makes, is the
/// prefix of the keys of all its records.
namespace autoshard::detail {

inline constexpr std::uint16_t kDeltas = 0xFFFF;  ///< takes the place of a shard's number

/// The key of a record, which owns its bytes. A store takes it as bytes. The keys that a store returns are
/// bytes too, called `record_key`. Each `set` function reuses the memory.
class RecordKey {
 public:
  RecordKey() = default;
  explicit RecordKey(std::string bytes) : bytes_(std::move(bytes)) {}
  explicit RecordKey(std::string_view bytes) : bytes_(bytes) {}
  /// The key of a record of an index: a prefix that the index has, and the rest.
  RecordKey(std::string_view prefix, std::string_view rest) { set(prefix, rest); }

  // NOLINTNEXTLINE(google-explicit-constructor): a store takes bytes
  operator std::string_view() const { return bytes_; }
  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

  void set(std::string_view prefix, std::string_view rest) { bytes_.assign(prefix).append(rest); }
  void set_main(EntityKeyView entity);
  void set_shard(EntityKeyView entity, std::string_view property, std::uint16_t shard);

  /// The key of a new delta, greater than the keys of earlier deltas as far as clocks agree.
  void set_delta(EntityKeyView entity, std::string_view property);

  /// The key of a new element of a sequence in this group, greater than the keys of earlier elements of the
  /// group as far as clocks agree.
  void set_new_element(EntityKeyView entity, std::string_view property, std::uint16_t group);
  /// The key of an element of a sequence that is made of older content. The id begins with `time`, which sets
  /// the place of the element. A number that grows with each call follows, so elements of one time stay in
  /// their order. Another process may have used the same number: look for the key before using it.
  void set_adopted_element(EntityKeyView entity, std::string_view property, std::uint64_t time);
  /// The key of an element of a set or map, by the bytes that identify it: equal elements have equal keys.
  void set_equal_element(EntityKeyView entity, std::string_view property, std::string_view bytes);

  /// The key of a bucket of a window. `begin` is in milliseconds since 1970, and not negative.
  void set_bucket(EntityKeyView entity, std::string_view property, std::uint16_t shard, std::int64_t begin);

  /// The key of the record that an update of the entity with this token was counted.
  void set_token(EntityKeyView entity, std::string_view token);

  friend bool operator==(const RecordKey&, const RecordKey&) = default;
  friend auto operator<=>(const RecordKey&, const RecordKey&) = default;
  friend bool operator==(const RecordKey& one, std::string_view other) { return one.bytes_ == other; }
  friend auto operator<=>(const RecordKey& one, std::string_view other) { return one.bytes_ <=> other; }

 private:
  std::string bytes_;
};

RecordKey main_key(EntityKeyView entity);
RecordKey shard_key(EntityKeyView entity, std::string_view property, std::uint16_t shard);
RecordKey token_key(EntityKeyView entity, std::string_view token);

/// The key of a lease: a record of the mappers, of no entity.
RecordKey lease_key(std::string_view name);

/// The key of the store's time: a record of the mappers, of no entity.
RecordKey store_clock_key();

/// The key of a writer's mark: a record of the mappers, of no entity.
RecordKey writer_key(std::uint64_t id);

/// Returns whether this is the key of the entity's main record.
bool is_main_key(std::string_view record_key, EntityKeyView entity);
bool is_token_key(std::string_view record_key);

/// The key of the record that the entity expires at this time, in milliseconds since 1970. The records of a
/// kind are sorted by their times.
RecordKey expiry_key(std::string_view kind, std::int64_t time, EntityKeyView entity);
/// A key below all expiry keys of this time, and above those of earlier times.
std::string begin_of_expiries(std::string_view kind, std::int64_t time);
struct ExpiryKey {
  std::int64_t time;
  EntityKey entity;
};
/// Empty for a foreign record. `record_key` is not below `begin_of_expiries` of 0.
std::optional<ExpiryKey> read_expiry_key(std::string_view kind, std::string_view record_key);

/// The least key of tokens and writers' marks, and a key above all of them.
std::string begin_of_expiring();
std::string end_of_expiring();

/// The prefix of the keys of all records of a kind's indexes, and that of one index. `definition`: a number
/// that tells the index from earlier ones of the same name.
std::string indexes_key(std::string_view kind);
std::string index_key(std::string_view kind, std::string_view index, std::uint32_t definition);

/// Returns the part of a record's key that is the key of its index; empty for any other record. `kind_size`:
/// the size of `indexes_key`.
std::string_view index_of(std::string_view record_key, std::size_t kind_size);

void append_shard_number(std::string& key, std::uint16_t shard);
void append_big_endian(std::string& key, std::uint64_t number);

/// Removes a member of an index from the front of a key. Throws `CorruptRecord` if there is none.
void skip_part(std::string_view& key);

/// Describes a member of an index, as it stands in a key, in messages.
std::string describe_part(std::string_view part);

/// The prefix of the keys of all entities of a kind.
std::string kind_key(std::string_view kind);

/// Returns the key of an entity. `id`: its id in the form of keys, as `id_in` returns it.
EntityKey entity_with_id(std::string_view kind, std::string_view id);

/// A key above all keys with this prefix, and below all greater keys without it.
std::string end_key(std::string_view prefix);
inline std::string end_key(EntityKeyView entity) { return end_key(entity.bytes()); }

/// A key above all keys of the property's shards and deltas. The least of them is `shard_key` of 0.
std::string end_of_property(EntityKeyView entity, std::string_view property);

/// How many bytes the id of a delta has, or that of an element of a sequence.
constexpr std::size_t kNewIdSize = 16;

/// The parsed key of a shard.
struct ShardKey {
  std::string_view property;           ///< refers to the key
  std::optional<std::uint16_t> shard;  ///< of an element, its group; empty: the key is a delta's
  /// The id of an element or delta, or the begin of a bucket; empty: the key is a shard's.
  std::string_view element;

  bool is_of_element() const { return shard && !element.empty() && !is_of_bucket(); }
  /// No element has eight bytes of which the first is 0.
  bool is_of_bucket() const { return shard && element.size() == 8 && element.front() == '\0'; }
};
/// Returns the time and the number in the id of a delta, or of an element of a sequence.
std::pair<std::uint64_t, std::uint64_t> read_new_id(std::string_view element);
/// Returns when a bucket begins; empty if the key is not a bucket's.
std::optional<std::int64_t> read_bucket(const ShardKey& key);
/// Empty if the record of the entity is no shard.
std::optional<ShardKey> read_shard_key(EntityKeyView entity, std::string_view record_key);

/// Returns the part of a record's key that is the entity's key; empty if the record belongs to no entity.
EntityKeyView entity_of(std::string_view record_key);

/// Describes a key in messages: `Question 42, shard 3 of votes`. Accepts any bytes.
std::string describe(std::string_view record_key);
inline std::string describe(EntityKeyView entity) { return describe(entity.bytes()); }

}  // namespace autoshard::detail
