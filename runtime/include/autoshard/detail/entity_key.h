#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace autoshard::detail {

/// A view of an entity's key: of the bytes with which the keys of all records of the entity begin, and no
/// other keys. `entity_key` makes the keys of entities (`detail/id.h`).
///
/// The conversions from bytes and to bytes are explicit, so a record's key in the place of an entity's key
/// does not compile.
class EntityKeyView {
 public:
  constexpr EntityKeyView() = default;
  constexpr explicit EntityKeyView(std::string_view bytes) : bytes_(bytes) {}

  constexpr std::string_view bytes() const { return bytes_; }
  constexpr bool empty() const { return bytes_.empty(); }
  /// Returns whether a record's key is that of a record of this entity.
  constexpr bool has_record(std::string_view record_key) const { return record_key.starts_with(bytes_); }

 private:
  std::string_view bytes_;
};

/// An entity's key that owns its bytes.
class EntityKey {
 public:
  EntityKey() = default;
  explicit EntityKey(std::string bytes) : bytes_(std::move(bytes)) {}
  explicit EntityKey(EntityKeyView key) : bytes_(key.bytes()) {}
  EntityKey& operator=(EntityKeyView key) {  // reuses the memory
    bytes_ = key.bytes();
    return *this;
  }

  // NOLINTNEXTLINE(google-explicit-constructor): a view of the same key
  operator EntityKeyView() const { return EntityKeyView(bytes_); }
  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }
  bool empty() const { return bytes_.empty(); }
  bool has_record(std::string_view record_key) const { return record_key.starts_with(bytes_); }

 private:
  std::string bytes_;
};

constexpr bool operator==(EntityKeyView one, EntityKeyView other) { return one.bytes() == other.bytes(); }
constexpr std::strong_ordering operator<=>(EntityKeyView one, EntityKeyView other) {
  return one.bytes() <=> other.bytes();
}

}  // namespace autoshard::detail

/// Not `noexcept`: a libstdc++ container then keeps the hash with each key, and does not hash a key again.
template <>
struct std::hash<autoshard::detail::EntityKeyView> {
  using is_transparent = void;
  std::size_t operator()(autoshard::detail::EntityKeyView key) const {
    return std::hash<std::string_view>()(key.bytes());
  }
};
template <>
struct std::hash<autoshard::detail::EntityKey> : std::hash<autoshard::detail::EntityKeyView> {};
