#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::detail {

/// The key of a record, parsed by runtime/FORMAT.md. This second parser shares nothing with keys.h, so that
/// each checks the other.
struct CheckedKey {
  enum Kind : std::uint8_t {
    kMain,
    kShard,
    kDelta,
    kElement,
    kBucket,
    kMark,
    kToken,
    kExpiry,
    kClock,
    kLease,
    kGeneration,  ///< of a kind's indexes
    kIndexState,
    kIndexRecord,
    kOther,  ///< a mapper writes no record with such a key
  };
  Kind kind = kOther;
  /// The prefix of the entity's keys. Set for the first five kinds, a token and an expiry.
  std::string entity{};
  std::string property{};  ///< of a shard, delta, element or bucket
  std::uint32_t number{};  ///< of a shard, a bucket's shard or an element's group
  std::uint64_t time{};    ///< of an expiry
  std::string indexes{};   ///< of an index's record: the key of the generation
  std::string index{};     ///< of an index's record: the key of the state
  std::string rest{};  ///< of an index's record: the rest of the key; of a delta, element or bucket: its id

  bool is_of_entity() const { return kind <= kBucket; }
  /// Returns whether the record belongs to one of a fixed number of shards.
  bool is_of_shard() const { return kind == kShard || kind == kBucket; }
  bool is_of_index() const { return kind == kIndexState || kind == kIndexRecord; }
};

CheckedKey parse_checked_key(std::string_view key);

/// Returns the key of the main record of the entity with this key.
std::string checked_main_key(std::string_view entity);

/// Returns the id in the key of an entity.
std::string_view checked_id(std::string_view entity);

/// Returns the key of the generation of the kind, given the key of an entity.
std::string checked_generation_key(std::string_view entity);

/// Returns the begin of the keys of the entities of a kind, given the key of its generation.
std::string entities_of_generation(std::string_view generation);

/// Returns the keys of the entities that a record of an index may be about. The end of its key is an id. Only
/// the class tells where this id begins.
std::vector<std::string> entities_of_index_record(const CheckedKey& record);

/// Splits the end of the key of an index's record into its members: parts, or an id, which may be composite.
/// Empty if the bytes are no such members.
std::vector<std::string_view> checked_members(std::string_view bytes);

/// Returns the key of the expiry record of an entity that expires at this time.
std::string checked_expiry_key(std::string_view entity, std::int64_t time);

}  // namespace autoshard::detail
