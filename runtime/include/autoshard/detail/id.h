#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace autoshard::detail {

/// Each appends to `key` a form of the value whose order, as bytes, is the value's, and which is no prefix of
/// another's (runtime/FORMAT.md).
void append_text(std::string& key, std::string_view text);
void append_integer(std::string& key, bool negative, std::uint64_t magnitude);

template <class Id>
inline constexpr bool kNoId = false;

template <class Id>
void append_id(std::string& key, const Id& id) {
  if constexpr (std::same_as<Id, std::string>) {
    append_text(key, id);
  } else if constexpr (std::is_enum_v<Id>) {
    append_id(key, static_cast<std::underlying_type_t<Id>>(id));
  } else if constexpr (std::unsigned_integral<Id>) {
    append_integer(key, false, id);
  } else if constexpr (std::signed_integral<Id>) {
    const auto bits = static_cast<std::uint64_t>(std::int64_t{id});
    append_integer(key, id < 0, id < 0 ? 0 - bits : bits);
  } else {
    static_assert(kNoId<Id>, "an entity's id is an integer, an enum or a std::string");
  }
}

/// What the keys of an entity's records, and of no others, begin with.
template <class Id>
std::string entity_key(std::string_view kind, const Id& id) {
  std::string key;
  key.reserve(kind.size() + 32);
  append_text(key, kind);
  append_id(key, id);
  return key;
}

}  // namespace autoshard::detail
