#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// The key of a record, taken apart by runtime/FORMAT.md. A second reader of keys beside that of keys.h, with
/// which it shares nothing: only so does each check the other.
struct CheckedKey {
  enum Kind : std::uint8_t {
    kMain,
    kShard,
    kDelta,
    kElement,
    kMark,
    kToken,
    kExpiry,
    kClock,
    kLease,
    kGeneration,  ///< of a kind's indexes
    kIndexState,
    kIndexRecord,
    kOther,  ///< no record of a mapper has such a key
  };
  Kind kind = kOther;
  std::string entity{};  ///< what the keys of the entity begin with; of the first four, a token and an expiry
  std::string property{};  ///< of a shard, delta or element
  std::uint32_t number{};  ///< of a shard, or an element's group
  std::uint64_t time{};    ///< of an expiry
  std::string indexes{};   ///< of a record of an index: the key of the generation
  std::string index{};     ///< likewise, that of the state
  std::string rest{};      ///< likewise, what is behind that; of a delta or element, its id

  bool is_of_entity() const { return kind <= kElement; }
  bool is_of_index() const { return kind == kIndexState || kind == kIndexRecord; }
};

CheckedKey parse_checked_key(std::string_view key);

/// The key of the main record of the entity with this key.
std::string checked_main_key(std::string_view entity);

/// The id in the key of an entity.
std::string_view checked_id(std::string_view entity);

/// The key of the kind's generation, given that of an entity.
std::string checked_generation_key(std::string_view entity);

/// The key of the expiry record of an entity that expires at this time.
std::string checked_expiry_key(std::string_view entity, std::int64_t time);

}  // namespace autoshard::detail
