#pragma once

#include <autoshard/detail/entity_key.h>
#include <autoshard/generated.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace autoshard::detail {

/// Each function appends to `key` a form of the value. The byte order of the forms is the order of the
/// values, and no form is a prefix of another (runtime/FORMAT.md).
void append_text(std::string& key, std::string_view text);
void append_integer(std::string& key, bool negative, std::uint64_t magnitude);

/// Mark the begin and the end of the parts of a composite id.
void begin_composite(std::string& key);
void end_composite(std::string& key);

/// Each function removes from the front of `key` a value that one of the functions above has appended. Throws
/// `CorruptRecord` if the key begins with something else.
std::string take_text(std::string_view& key);
struct Integer {
  bool negative;
  std::uint64_t magnitude;
};
Integer take_integer(std::string_view& key);
void take_begin_of_composite(std::string_view& key);
void take_end_of_composite(std::string_view& key);

/// Returns the id, in the form of keys, at the end of an entity's key.
std::string_view id_in(EntityKeyView entity);

[[noreturn]] void throw_no_id_of_this_type(std::string_view id);

template <class Id>
inline constexpr bool kNoId = false;

template <class Id>
inline constexpr bool kIsBytes = false;
template <std::size_t kSize>
inline constexpr bool kIsBytes<std::array<std::byte, kSize>> = true;
template <std::size_t kSize>
inline constexpr bool kIsBytes<std::array<unsigned char, kSize>> = true;

/// A duration in whole ticks.
template <class Id>
concept Ticks = std::integral<typename Id::rep> && requires(const Id& id) {
  typename Id::period;
  { id.count() } -> std::same_as<typename Id::rep>;
};
/// A point in time whose duration since its clock's epoch is in whole ticks.
template <class Id>
concept Moment = Ticks<typename Id::duration> && requires(const Id& id) {
  typename Id::clock;
  { id.time_since_epoch() } -> std::same_as<typename Id::duration>;
};

template <class Id>
inline constexpr bool kIsComposite = false;
template <class... Parts>
inline constexpr bool kIsComposite<std::tuple<Parts...>> = true;

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
  } else if constexpr (kIsBytes<Id>) {
    append_text(key, {reinterpret_cast<const char*>(id.data()), id.size()});
  } else if constexpr (Ticks<Id>) {
    append_id(key, id.count());
  } else if constexpr (Moment<Id>) {
    append_id(key, id.time_since_epoch().count());
  } else if constexpr (kIsComposite<Id>) {
    begin_composite(key);
    std::apply([&](const auto&... part) { (append_id(key, part), ...); }, id);
    end_composite(key);
  } else if constexpr (std::is_aggregate_v<Id>) {
    const auto& [value] = id;
    append_id(key, value);
  } else {
    static_assert(
        kNoId<Id>,
        "an entity's id, or a member of an index, must be an integer, an enum, a std::string, an array of "
        "bytes, a duration in whole ticks or a point in time that is one, or a struct of one of "
        "these");
  }
}

/// Removes an id from the front of `key`.
template <class Id>
Id take_id(std::string_view& key) {
  if constexpr (std::same_as<Id, std::string>) {
    return take_text(key);
  } else if constexpr (std::is_enum_v<Id>) {
    return static_cast<Id>(take_id<std::underlying_type_t<Id>>(key));
  } else if constexpr (std::integral<Id>) {
    const std::string_view before = key;
    const Integer integer = take_integer(key);
    const std::uint64_t bits = integer.negative ? 0 - integer.magnitude : integer.magnitude;
    const auto id = static_cast<Id>(bits);
    std::string form;
    append_id(form, id);
    if (!before.starts_with(form)) throw_no_id_of_this_type(before);
    return id;
  } else if constexpr (kIsBytes<Id>) {
    const std::string_view before = key;
    const std::string text = take_text(key);
    Id id{};
    if (text.size() != id.size()) throw_no_id_of_this_type(before);
    std::memcpy(id.data(), text.data(), id.size());
    return id;
  } else if constexpr (Ticks<Id>) {
    return Id(take_id<typename Id::rep>(key));
  } else if constexpr (Moment<Id>) {
    return Id(take_id<typename Id::duration>(key));
  } else if constexpr (kIsComposite<Id>) {
    take_begin_of_composite(key);
    Id id{};
    std::apply([&](auto&... part) { ((part = take_id<std::remove_cvref_t<decltype(part)>>(key)), ...); }, id);
    take_end_of_composite(key);
    return id;
  } else {
    Id id{};
    auto& [value] = id;
    value = take_id<std::remove_cvref_t<decltype(value)>>(key);
    return id;
  }
}

/// Returns the id in an entity's key.
template <class Id>
Id read_id(EntityKeyView entity) {
  std::string_view rest = id_in(entity);
  Id id = take_id<Id>(rest);
  if (!rest.empty()) throw_no_id_of_this_type(id_in(entity));
  return id;
}

/// Returns the key of an entity.
template <class Id>
EntityKey entity_key(std::string_view kind, const Id& id) {
  std::string key;
  key.reserve(kind.size() + 32);
  append_text(key, kind);
  append_id(key, id);
  return EntityKey(std::move(key));
}

/// The key of an entity during a call, in memory that the thread reuses.
class ReusedKey {
 public:
  template <class Id>
  ReusedKey(std::string_view kind, const Id& id) {
    exchange();
    bytes_.clear();
    append_text(bytes_, kind);
    append_id(bytes_, id);
  }
  ~ReusedKey() { exchange(); }
  ReusedKey(const ReusedKey&) = delete;
  ReusedKey& operator=(const ReusedKey&) = delete;

  EntityKeyView operator*() const { return EntityKeyView(bytes_); }

 private:
  /// Exchanges the memory with that of the thread.
  void exchange();

  std::string bytes_;
};

/// Returns the entity's id; a composite id as a tuple of references.
template <Persisted E>
decltype(auto) id_of(const E& entity) {
  constexpr auto kId = Traits<E>::kId;
  if constexpr (std::is_member_pointer_v<decltype(kId)>) {
    return (entity.*kId);
  } else {
    return std::apply([&](auto... member) { return std::tie(entity.*member...); }, kId);
  }
}

/// Returns an entity with this id, for the mapper to fill in.
template <Persisted E>
E make_entity(const typename Traits<E>::Id& id) {
  constexpr auto kId = Traits<E>::kId;
  E entity = Traits<E>::make();
  if constexpr (std::is_member_pointer_v<decltype(kId)>) {
    entity.*kId = id;
  } else {
    std::apply([&](auto... member) { std::tie(entity.*member...) = id; }, kId);
  }
  return entity;
}

}  // namespace autoshard::detail
